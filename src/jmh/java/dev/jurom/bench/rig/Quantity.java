// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What of a round is looked at.
 *
 * @param unit what its values are given in
 * @param value takes it from a round
 */
record Quantity(String unit, ToDoubleFunction<Round> value) {

    /** The median of the operations' times. */
    static final Quantity P50 = new Quantity("µs", round -> round.p50() / 1e3);

    /** Operations per second. */
    static final Quantity RATE = new Quantity("M/s", round -> round.rate() / 1e6);

    /** Bytes that an operation allocates. */
    static final Quantity ALLOCATION = new Quantity("B", Round::allocated);

    /** Bytes per second, when an operation moves so many. */
    static Quantity bandwidth(long bytesPerOperation) {
        return new Quantity("GB/s", round -> round.rate() * bytesPerOperation / 1e9);
    }

    /** A value of this quantity as text, with three digits that count. */
    String format(double amount) {
        return number(amount) + " " + unit;
    }

    /** This quantity of a round as text. */
    String format(Round round) {
        return format(value.applyAsDouble(round));
    }

    /** A number with three digits that count, unless it is larger; a dash when there is none. */
    static String number(double amount) {
        if (Double.isNaN(amount)) {
            return "-";
        }
        var magnitude = amount == 0 ? 0 : (int) Math.floor(Math.log10(Math.abs(amount)));
        return String.format(Locale.ROOT, "%." + Math.clamp(2 - magnitude, 0, 4) + "f", amount);
    }
}
