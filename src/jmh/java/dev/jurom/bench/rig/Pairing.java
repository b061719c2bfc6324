// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * Two consecutive rounds, one of each subject of a comparison, with a probe before, between and after them.
 *
 * @param numerator the round of the numerator
 * @param above the value of the numerator
 * @param denominator the round of the denominator
 * @param below the value of the denominator
 * @param numeratorFirst whether the round of the numerator was the first
 * @param probes the round-trip times of a cache line in nanoseconds
 */
record Pairing(
        Round numerator, double above, Round denominator, double below, boolean numeratorFirst, List<Double> probes) {

    /** If probes differ by more than this factor, the cache domain has changed. */
    private static final double SAME_DOMAIN = 1.25;

    /** Executes a round of each subject. */
    static Pairing measure(
            CacheDomainProbe probe,
            SubjectProcess numerator,
            Quantity above,
            SubjectProcess denominator,
            Quantity below,
            boolean numeratorFirst) {
        var before = probe.measure();
        var first = (numeratorFirst ? numerator : denominator).round();
        var between = probe.measure();
        var second = (numeratorFirst ? denominator : numerator).round();
        var probes = List.of(before, between, probe.measure());
        return numeratorFirst
                ? new Pairing(first, above.of(first), second, below.of(second), true, probes)
                : new Pairing(second, above.of(second), first, below.of(first), false, probes);
    }

    private DoubleStream nanos() {
        return probes.stream().mapToDouble(Double::doubleValue);
    }

    /** Returns whether the cache domain did not change. */
    boolean isSteady() {
        return nanos().max().orElseThrow() <= SAME_DOMAIN * nanos().min().orElseThrow();
    }

    /** Returns the cache domain of the cores. */
    CacheDomain domain() {
        return CacheDomain.of(nanos().average().orElseThrow());
    }

    /** Returns the cache domain before the round of the numerator or the denominator. */
    CacheDomain domainBefore(boolean ofNumerator) {
        return CacheDomain.of(probes.get(ofNumerator == numeratorFirst ? 0 : 1));
    }

    /** Adds the values by the name that they have in raw results. */
    void addTo(Map<String, Object> values, Subject ofNumerator, Subject ofDenominator) {
        values.put("numerator", named(ofNumerator, numerator));
        values.put("denominator", named(ofDenominator, denominator));
        values.put("numerator_first", numeratorFirst);
        values.put("cache_line_ns", probes);
        values.put("steady", isSteady());
    }

    private static Map<String, Object> named(Subject subject, Round round) {
        var values = new LinkedHashMap<String, Object>();
        values.put("subject", subject.name());
        values.putAll(round.values());
        return values;
    }
}
