// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.runs.plan.Blow;

/**
 * A signal that a process has got.
 *
 * @param blow as it was planned
 * @param process who got it
 */
record Applied(Blow blow, long process) {}
