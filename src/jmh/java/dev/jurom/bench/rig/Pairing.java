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

    /** Probes that differ by more than this factor tell that the machine's state has changed. */
    private static final double SAME_STATE = 1.25;

    double ratio() {
        return above / below;
    }

    /** Whether the machine was in one state all the time. */
    boolean isSteady() {
        return DoubleStream.of(probes).max().orElseThrow()
                <= SAME_STATE * DoubleStream.of(probes).min().orElseThrow();
    }

    /** The cost of a cache line meanwhile. */
    double cacheLine() {
        return DoubleStream.of(probes).average().orElseThrow();
    }
}
