// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Looks now and then how far apart the cores are, and remembers what it saw. */
final class CoreWatch implements AutoCloseable {

    private static final int OPERATIONS = 2000;

    private final Contestant probe = Contestant.start(CACHE_LINE, Map.of());
    private final Map<Distance, List<Double>> looks = new EnumMap<>(Distance.class);

    /** A cache line to the other core and back. */
    static final Subject CACHE_LINE = Subject.inC("cache line", "shm_pingpong");

    CoreWatch() {
        probe.warmUp();
    }

    /** What a cache line takes to the other core and back now, in nanoseconds. */
    double look() {
        var nanos = probe.round(OPERATIONS).p50();
        looks.computeIfAbsent(Distance.of(nanos), distance -> new ArrayList<>()).add(nanos);
        return nanos;
    }

    /** What was seen, in a sentence for below a table. */
    String summary() {
        var all = looks.values().stream().mapToInt(List::size).sum();
        return "The cores were "
                + looks.entrySet().stream()
                        .map(seen -> seen.getKey() + " in " + seen.getValue().size() + " of " + all
                                + " looks (a cache line there and back took "
                                + Figures.time(Spread.of(seen.getValue()).median()) + ")")
                        .collect(Collectors.joining(" and "))
                + ".";
    }

    @Override
    public void close() {
        probe.close();
    }
}
