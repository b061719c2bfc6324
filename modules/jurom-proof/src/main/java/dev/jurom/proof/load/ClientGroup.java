// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A group of connections of one kind. Its methods are called by one thread, except {@link #count}. */
abstract class ClientGroup {

    private static final String FIELD = "\t";

    private final String name;
    private final int requested;
    private final Map<String, Integer> reasons = new TreeMap<>();

    /** Creates a group of at most {@code requested} connections. */
    ClientGroup(String name, int requested) {
        this.name = name;
        this.requested = requested;
    }

    /** Opens all connections. */
    abstract void connect() throws IOException, InterruptedException;

    /** Checks the connections and returns how many are open. */
    abstract int open() throws IOException;

    /** Returns further results. */
    String note() {
        return "";
    }

    /** Closes all connections. */
    abstract void disconnect() throws IOException, InterruptedException;

    final int requested() {
        return requested;
    }

    /** Counts a connection that was rejected or closed. */
    final void count(String reason) {
        synchronized (reasons) {
            reasons.merge(reason.replaceAll("\\s", " "), 1, Integer::sum);
        }
    }

    /** Returns the status as one line: name, requested and open connections, note, and reasons with counts. */
    final String status() throws IOException {
        var open = open();
        synchronized (reasons) {
            var counts = reasons.entrySet().stream()
                    .map(entry -> entry.getValue() + " x " + entry.getKey())
                    .collect(Collectors.joining("; "));
            reasons.clear();
            return String.join(FIELD, name, Integer.toString(requested), Integer.toString(open), note(), counts);
        }
    }

    /** Splits such a line into its fields. */
    static String[] fields(String line) {
        return line.split(FIELD, -1);
    }
}
