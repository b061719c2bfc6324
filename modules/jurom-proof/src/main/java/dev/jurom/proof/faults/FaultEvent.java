// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

/**
 * An injected fault. The affected process records it in the table immediately before the action.
 *
 * @param nanoseconds the time of CLOCK_MONOTONIC
 * @param point the number of its point
 * @param action the action
 * @param process the id of the affected process
 * @param role the role of the process
 * @param argument the first argument of the action
 */
public record FaultEvent(long nanoseconds, int point, FaultAction action, int process, FaultRole role, long argument) {

    /** The value of {@link #point} for an event without a fault point, such as a signal from another process. */
    public static final int NO_POINT = -1;
}
