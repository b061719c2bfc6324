// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import java.time.Duration;

/** Waits with a deadline that are not interruptible: the interrupt status is preserved. */
public final class BoundedWait {

    /** A wait that can be interrupted, and is then repeated for the rest of the time. */
    @FunctionalInterface
    public interface Attempt {

        /**
         * Waits.
         *
         * @param nanos the time that is left, possibly negative
         * @return whether it is over before the time is
         * @throws InterruptedException if the current thread is interrupted while waiting
         */
        boolean await(long nanos) throws InterruptedException;
    }

    private BoundedWait() {}

    /**
     * Waits. Not interruptible: the interrupt status is preserved.
     *
     * @param time the longest time
     * @param attempt waits for the time that it is given
     * @return whether the wait was over before the time was
     */
    public static boolean within(Duration time, Attempt attempt) {
        var end = System.nanoTime() + time.toNanos();
        var interrupted = false;
        try {
            while (true) {
                try {
                    return attempt.await(end - System.nanoTime());
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
