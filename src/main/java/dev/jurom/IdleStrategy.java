// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

/**
 * The time for which a thread that drives the progress engine polls without events before it sleeps.
 * While no command is in flight, no thread polls.
 */
public enum IdleStrategy {

    /** Poll until the answer arrives: the shortest round trips, at the cost of a whole core. */
    SPIN(Long.MAX_VALUE),

    /**
     * Poll for 50 microseconds, then sleep until something arrives. A wake-up takes 20 to 30
     * microseconds.
     */
    SPIN_THEN_WAIT(50_000),

    /** Sleep immediately until something arrives: the least processor time. */
    WAIT(0);

    private final long spinNanos;

    IdleStrategy(long spinNanos) {
        this.spinNanos = spinNanos;
    }

    /** Returns the number of nanoseconds to poll before a thread sleeps. */
    long spinNanos() {
        return spinNanos;
    }
}
