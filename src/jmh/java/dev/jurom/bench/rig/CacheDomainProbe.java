// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Probes whether the two cores share a cache domain, and records the results. */
final class CacheDomainProbe implements AutoCloseable {

    private static final int OPERATIONS = 2000;

    private final SubjectProcess probe = SubjectProcess.start(CACHE_LINE, Map.of());
    private final Map<CacheDomain, List<Double>> probes = new EnumMap<>(CacheDomain.class);

    /** Round trips of a cache line between the two cores. */
    static final Subject CACHE_LINE = Subject.inC("cache line", "shm_pingpong");

    CacheDomainProbe() {
        probe.warmUp();
    }

    /** Returns the current round-trip time of a cache line in nanoseconds. */
    double measure() {
        var nanos = probe.round(OPERATIONS).p50();
        probes.computeIfAbsent(CacheDomain.of(nanos), domain -> new ArrayList<>())
                .add(nanos);
        return nanos;
    }

    /** Returns a summary for the text below a table. */
    String summary() {
        var all = probes.values().stream().mapToInt(List::size).sum();
        return probes.entrySet().stream()
                .map(seen -> seen.getKey().phrase() + " in " + seen.getValue().size() + " of " + all
                        + " probes (cache line round trip "
                        + Figures.time(Spread.of(seen.getValue()).median()) + ")")
                .collect(Collectors.joining("; ", "Cores: ", "."));
    }

    @Override
    public void close() {
        probe.close();
    }
}
