// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.stream.DoubleStream;

/**
 * A round of each subject of a comparison, one right after the other, with a probe before, between
 * and after.
 *
 * @param above what the numerator gave
 * @param below what the denominator gave
 * @param probes how long a cache line took to go to the other core and back each time, in
 *        nanoseconds
 */
record Pairing(double above, double below, double... probes) {

    /** Probes that differ by more than this factor tell that the cores have moved. */
    private static final double SAME_DISTANCE = 1.25;

    /** Whether the cores stayed as far apart as they were. */
    boolean isSteady() {
        return DoubleStream.of(probes).max().orElseThrow()
                <= SAME_DISTANCE * DoubleStream.of(probes).min().orElseThrow();
    }

    /** How far apart the cores were. */
    Distance distance() {
        return Distance.of(DoubleStream.of(probes).average().orElseThrow());
    }
}
