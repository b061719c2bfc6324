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
        long workersStarted,
        int workers) {}
