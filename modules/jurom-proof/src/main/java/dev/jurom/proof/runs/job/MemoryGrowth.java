// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

/**
 * The memory growth of a service and its Java hosts after warm-up.
 *
 * @param kibibytes the growth in KiB, which may be negative
 * @param runs the number of runs after warm-up
 */
public record MemoryGrowth(long kibibytes, int runs) {}
