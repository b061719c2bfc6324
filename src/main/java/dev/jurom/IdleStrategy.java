// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

/**
 * What a thread does that drives the progress engine and finds nothing to do, while commands are in
 * flight. When none is, it always sleeps.
 */
public enum IdleStrategy {

    /** Go on looking: the shortest round trips, at the price of a core. */
    SPIN(Long.MAX_VALUE),

    /**
     * Look for 50 microseconds more, then sleep until something arrives. Waking takes 20 to 30
     * microseconds.
     */
    SPIN_THEN_WAIT(50_000),

    /** Sleep at once until something arrives: the least use of the processor. */
    WAIT(0);

    private final long spinNanos;

    IdleStrategy(long spinNanos) {
        this.spinNanos = spinNanos;
    }

    /** How long such a thread goes on looking before it sleeps. */
    long spinNanos() {
        return spinNanos;
    }
}
