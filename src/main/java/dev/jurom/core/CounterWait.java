// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.core.internal.Timeout;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;

/** Waits for the counter of a sync event: first spins, then sleeps between polls. */
final class CounterWait {

    private static final int SPINS_BEFORE_PARKING = 1000;
    private static final long PARKING_NANOS = 50_000;

    private CounterWait() {}

    /** Waits until the condition holds; returns false if it does not hold in time. */
    static boolean until(SyncEvent event, LongPredicate condition, Duration timeout) {
        var deadline = System.nanoTime() + Timeout.nanos(timeout);
        for (var polls = 0; !condition.test(event.value()); polls++) {
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            if (polls < SPINS_BEFORE_PARKING) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(event, PARKING_NANOS);
            }
        }
        return true;
    }
}
