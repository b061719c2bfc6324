// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

/** The place where blocks are compressed and decompressed. */
public enum CompressionMode {

    /** In workers only. A block fails if no worker can process it. */
    OFFLOAD,

    /**
     * In workers, which saves CPU time of this process. It processes only blocks that cost it less CPU time than
     * the way to a worker and back, which are small blocks and most frames, and those that no worker can
     * process; later ones are processed in workers again as soon as there are any.
     */
    SAVE_CPU,

    /**
     * Where a block is completed first, as estimated from the times of earlier blocks. A worker compresses a block if
     * the caller continues meanwhile and the worker has capacity left; this process compresses small blocks,
     * blocks of streams that would otherwise wait for busy workers, and blocks that no worker can process, and
     * decompresses. All of this is on the thread of the caller, except after the failure of a worker.
     * {@link Compression#compress(CompressionParameters, java.lang.foreign.MemorySegment,
     * java.lang.foreign.MemorySegment) compress} uses the thread of the caller for at most about 100 µs for a block, unless
     * no worker runs.
     *
     * <p>Workers and this process have different versions of the libraries, so the bytes of a frame depend on the place
     * of its compression. {@link Compression#counters} shows the places of the blocks, and the JFR event
     * {@code dev.jurom.CompressionFallback} the blocks that no worker could process.
     */
    AUTO,

    /** In this process only, on the thread of the caller. No service is opened. */
    LOCAL
}
