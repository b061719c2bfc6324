// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The status of a group of clients.
 *
 * @param group the name of the group
 * @param requested the requested number of connections
 * @param open the number of open connections
 * @param reasons why other connections were rejected or closed, with counts
 * @param note further results
 */
record GroupStatus(String group, int requested, int open, Map<String, Integer> reasons, String note) {

    private static final String FIELD = "\t";

    /** Returns one line of text. */
    String toLine() {
        return String.join(FIELD, group, Integer.toString(requested), Integer.toString(open), describe(), note)
                .replace('\n', ' ');
    }

    private String describe() {
        return reasons.entrySet().stream()
                .map(entry -> entry.getValue() + " x " + entry.getKey())
                .collect(Collectors.joining("; "));
    }

    /** Splits such a line into its fields. */
    static List<String> fields(String line) {
        return List.of(line.split(FIELD, -1));
    }
}
