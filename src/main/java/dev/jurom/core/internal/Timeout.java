// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import java.time.Duration;

/** Durations as nanoseconds that can be added to {@link System#nanoTime()}. */
public final class Timeout {

    private static final long LONGEST = Long.MAX_VALUE / 2;

    private Timeout() {
    }

    /**
     * A duration in nanoseconds, cut to what makes a deadline: 0 to 146 years.
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
}
