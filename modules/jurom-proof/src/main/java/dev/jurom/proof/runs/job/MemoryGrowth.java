// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

/**
 * How much more memory a service and its Java hosts have than when they had settled.
 *
 * @param kibibytes more, or less
 * @param runs since then
 */
public record MemoryGrowth(long kibibytes, int runs) {}
