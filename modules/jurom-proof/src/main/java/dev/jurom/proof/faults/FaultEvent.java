// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

/**
 * A fault that has happened, as a process wrote it into the table just before.
 *
 * @param nanoseconds of CLOCK_MONOTONIC
 * @param point the number of its point
 * @param action what happened
 * @param process to which process
 * @param role of which role
 * @param argument the action's first
 */
public record FaultEvent(long nanoseconds, int point, FaultAction action, int process, FaultRole role, long argument) {}
