// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/**
 * A quantity of a round.
 *
 * @param name the name in tables
 * @param value returns the value of a round
 * @param text formats a value
 */
record Quantity(String name, ToDoubleFunction<Round> value, DoubleFunction<String> text) {

    /** The median time of the operations, or their mean time if they are timed together. */
    static final Quantity TIME = new Quantity("time", Round::time, Figures::time);

    /** The median of the times of the operations. */
    static final Quantity P50 = new Quantity("p50", Round::p50, Figures::time);

    /** The 99th percentile of the times of the operations. */
    static final Quantity P99 = new Quantity("p99", Round::p99, Figures::time);

    /** The mean time of the operations, which may overlap. */
    static final Quantity MEAN = new Quantity("mean", Round::mean, Figures::time);

    /** Operations per second. */
    static final Quantity RATE = new Quantity("rate", Round::rate, Figures::rate);

    /** Allocated bytes per operation. */
    static final Quantity ALLOCATION =
            new Quantity("allocation", Round::allocated, bytes -> Figures.number(bytes) + " B");

    /** Returns bytes per second for operations that transfer the given number of bytes. */
    static Quantity bandwidth(long bytesPerOperation) {
        return new Quantity(
                "bandwidth", round -> round.rate() * bytesPerOperation, bytes -> Figures.number(bytes / 1e9) + " GB/s");
    }

    /** Returns the value of a round. */
    double of(Round round) {
        return value.applyAsDouble(round);
    }

    /** Formats a value of this quantity. */
    String format(double amount) {
        return text.apply(amount);
    }

    /** Formats the value of a round. */
    String format(Round round) {
        return format(of(round));
    }
}
