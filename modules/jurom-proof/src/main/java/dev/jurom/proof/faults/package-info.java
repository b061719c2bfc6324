// SPDX-License-Identifier: Apache-2.0
/**
 * Fault points, the schedules that select faults, and the table in shared memory through which the processes
 * of a run read the faults and record the injected ones.
 */
package dev.jurom.proof.faults;
