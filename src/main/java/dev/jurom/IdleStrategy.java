// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

/**
 * What a thread does that drives the progress engine and finds nothing to do, while commands are in
 * flight. When none is, it always sleeps.
 */
public enum IdleStrategy {

    /** Go on looking: the shortest round trips, at the price of a core. */
    SPIN,

    /**
     * Look for 50 microseconds more, then sleep until something arrives. Waking takes 20 to 30
     * microseconds.
     */
    SPIN_THEN_WAIT,

    /** Sleep at once until something arrives: the least use of the processor. */
    WAIT
}
