// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.stream.DoubleStream;

/**
 * Two consecutive rounds, one of each subject of a comparison, with a probe before, between and after them.
 *
 * @param above the value of the numerator
 * @param below the value of the denominator
 * @param probes the round-trip times of a cache line in nanoseconds
 */
record Pairing(double above, double below, double... probes) {

    /** If probes differ by more than this factor, the cache domain has changed. */
    private static final double SAME_DOMAIN = 1.25;

    /** Returns whether the cache domain did not change. */
    boolean isSteady() {
        return DoubleStream.of(probes).max().orElseThrow()
                <= SAME_DOMAIN * DoubleStream.of(probes).min().orElseThrow();
    }

    /** Returns the cache domain of the cores. */
    CacheDomain domain() {
        return CacheDomain.of(DoubleStream.of(probes).average().orElseThrow());
    }
}
