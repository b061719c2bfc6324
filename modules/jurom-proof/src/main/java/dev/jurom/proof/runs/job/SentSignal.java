// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.runs.plan.PlannedSignal;

/**
 * A signal that was sent to a process.
 *
 * @param signal the planned signal
 * @param process the id of the process
 */
record SentSignal(PlannedSignal signal, long process) {}
