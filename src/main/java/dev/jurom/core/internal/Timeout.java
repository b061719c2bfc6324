// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** Converts durations to nanoseconds that can be added to {@link System#nanoTime()}. */
public final class Timeout {

    private static final long LONGEST = Long.MAX_VALUE / 2;

    private Timeout() {}

    /**
     * Returns a duration in nanoseconds, limited to the range from 0 to 146 years.
     *
     * @param timeout any duration
     * @return the nanoseconds
     */
    public static long nanos(Duration timeout) {
        try {
            return Math.clamp(timeout.toNanos(), 0, LONGEST);
        } catch (ArithmeticException e) {
            return timeout.isNegative() ? 0 : LONGEST;
        }
    }

    /**
     * Checks that a duration is positive.
     *
     * @param what the meaning of the duration, for the message
     * @param timeout any duration
     * @return the duration
     * @throws IllegalArgumentException if it is zero or negative
     */
    public static Duration requirePositive(String what, Duration timeout) {
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException(what + ": " + text(timeout) + " is not positive");
        }
        return timeout;
    }

    /**
     * Returns a duration as text, in the largest unit of which it is a multiple.
     *
     * @param timeout any duration
     * @return for example {@code 30 s} or {@code 100 ns}
     */
    public static String text(Duration timeout) {
        var nanos = timeout.getNano();
        if (nanos == 0) {
            return timeout.toSeconds() + " s";
        }
        var unit =
                nanos % 1_000_000 == 0 ? ChronoUnit.MILLIS : nanos % 1000 == 0 ? ChronoUnit.MICROS : ChronoUnit.NANOS;
        return timeout.dividedBy(unit.getDuration())
                + (unit == ChronoUnit.MILLIS ? " ms" : unit == ChronoUnit.MICROS ? " us" : " ns");
    }
}
