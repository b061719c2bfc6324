// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

/**
 * An error of a host, and the fault that caused it.
 *
 * @param cause the action and the role of its process, such as {@code KILL of a worker}
 * @param nanoseconds the time from the fault to the error
 */
public record ExplainedError(String cause, long nanoseconds) {}
