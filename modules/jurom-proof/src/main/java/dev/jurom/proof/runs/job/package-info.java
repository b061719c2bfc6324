// SPDX-License-Identifier: Apache-2.0
/** A job: the processes that runs share, how a run goes on them, and what must hold after it. */
package dev.jurom.proof.runs.job;
