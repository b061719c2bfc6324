// SPDX-License-Identifier: Apache-2.0
package dev.jurom.races;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The steps of one order; and how orders are written: which choices were not the first option. */
final class Trace {

    private static final StackWalker WALKER = StackWalker.getInstance();

    private final StringBuilder text = new StringBuilder();
    private Actor last;

    void add(Actor actor, Shared what, boolean writes) {
        if (actor != last) {
            text.append(actor).append(":\n");
            last = actor;
        }
        text.append("    ").append(writes ? "writes " : "reads  ")
                .append(what.getClass().getSimpleName()).append(place()).append('\n');
    }

    private static String place() {
        return WALKER.walk(frames -> frames
                .filter(frame -> frame.getClassName().startsWith("dev.jurom.internal."))
                .limit(2).map(frame -> " in " + frame.toStackTraceElement())
                .collect(Collectors.joining()));
    }

    /** As {@link #choices} reads it: what was not the first option, and where. */
    static String order(List<int[]> choices) {
        return choices.stream().filter(choice -> choice[1] != 0)
                .map(choice -> choice[2] + ":" + choice[1]).collect(Collectors.joining(","));
    }

    /** What an order takes at which point. */
    static Map<Integer, Integer> choices(String order) {
        return Stream.of(order.split(",")).filter(choice -> !choice.isEmpty())
                .map(choice -> choice.split(":"))
                .collect(Collectors.toMap(parts -> Integer.valueOf(parts[0]),
                        parts -> Integer.valueOf(parts[1])));
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
