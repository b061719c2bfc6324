// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/**
 * What of a round is looked at.
 *
 * @param value takes it from a round
 * @param text writes a value down
 */
record Quantity(ToDoubleFunction<Round> value, DoubleFunction<String> text) {

    /** The median of the operations' times. */
    static final Quantity P50 = new Quantity(Round::p50, Figures::time);

    /** What all but one in a hundred operations took at most. */
    static final Quantity P99 = new Quantity(Round::p99, Figures::time);

    /** What an operation takes of the time of all, also where they overlap. */
    static final Quantity SHARE = new Quantity(round -> 1e9 / round.rate(), Figures::time);

    /** Operations per second. */
    static final Quantity RATE = new Quantity(Round::rate, Figures::rate);

    /** Bytes that an operation allocates. */
    static final Quantity ALLOCATION = new Quantity(Round::allocated, bytes -> Figures.number(bytes) + " B");

    /** Bytes per second, when an operation moves so many. */
    static Quantity bandwidth(long bytesPerOperation) {
        return new Quantity(round -> round.rate() * bytesPerOperation, bytes -> Figures.number(bytes / 1e9) + " GB/s");
    }

    /** This quantity of a round. */
    double of(Round round) {
        return value.applyAsDouble(round);
    }

    /** A value of this quantity as text. */
    String format(double amount) {
        return text.apply(amount);
    }

    /** This quantity of a round as text. */
    String format(Round round) {
        return format(of(round));
    }
}
