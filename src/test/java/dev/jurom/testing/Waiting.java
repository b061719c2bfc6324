// SPDX-License-Identifier: Apache-2.0
package dev.jurom.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for conditions, with a deadline. */
public final class Waiting {

    /** More than anything takes on a busy machine. */
    public static final Duration DEADLINE = Duration.ofSeconds(20);

    private static final long PAUSE_NANOS = 200_000;

    private Waiting() {
    }

    /** Waits until a condition holds; fails after {@link #DEADLINE}. */
    public static void until(String what, BooleanSupplier condition) {
        within(DEADLINE, what, condition);
    }

    /** Waits until a condition holds; fails after {@code deadline}. */
    public static void within(Duration deadline, String what, BooleanSupplier condition) {
        var end = System.nanoTime() + deadline.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("after " + deadline.toMillis() + " ms still not: " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
