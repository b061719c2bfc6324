// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

/**
 * The counters of a {@link Compression} since it was opened.
 *
 * @param offloadedBlocks the number of blocks that workers compressed or decompressed
 * @param offloadedBytes the number of their uncompressed bytes
 * @param localBlocks the number of blocks that this process compressed or decompressed
 * @param localBytes the number of their uncompressed bytes, including foreign frames
 * @param placedBlocks the number of blocks that this process processed in the modes {@link CompressionMode#AUTO} and
 *        {@link CompressionMode#SAVE_CPU} because they cost less there than in a worker
 * @param fallbacks the number of blocks that this process processed in the same modes because no worker could
 * @param failures the number of blocks that failed
 * @param blocksInFlight the number of blocks that workers have not answered
 * @param offloadedNanos the sum of the times of the blocks that workers processed, from submission to answer, in
 *        nanoseconds
 * @param localNanos the time that threads of this process compressed and decompressed blocks, in nanoseconds
 * @param workersStarted the number of workers that were started
 * @param workers the number of workers that run
 */
public record CompressionCounters(
        long offloadedBlocks,
        long offloadedBytes,
        long localBlocks,
        long localBytes,
        long placedBlocks,
        long fallbacks,
        long failures,
        int blocksInFlight,
        long offloadedNanos,
        long localNanos,
        long workersStarted,
        int workers) {}
