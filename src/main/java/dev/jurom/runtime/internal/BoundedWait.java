// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import java.time.Duration;

/** Performs uninterruptible waits with a timeout. */
public final class BoundedWait {

    /** An interruptible wait, which is repeated after an interrupt for the remaining time. */
    @FunctionalInterface
    public interface Attempt {

        /**
         * Waits.
         *
         * @param nanos the maximum time to wait in nanoseconds, possibly negative
         * @return whether the awaited event occurred in time
         * @throws InterruptedException if the current thread is interrupted while waiting
         */
        boolean await(long nanos) throws InterruptedException;
    }

    private BoundedWait() {}

    /**
     * Waits. Blocks for at most a given time; not interruptible: the interrupt status is preserved.
     *
     * @param time the maximum time to wait
     * @param attempt waits for at most the time that is passed to it
     * @return whether the awaited event occurred in time
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
