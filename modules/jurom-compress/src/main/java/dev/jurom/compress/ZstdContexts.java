// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import java.util.ArrayDeque;

/**
 * The idle contexts of zstd of a {@link Compression}, because the creation of one takes longer than a small block. A
 * thread takes a context, and returns it after one block. At most one context of each kind for each core is kept, and
 * at most 64 MiB. Thread-safe.
 */
final class ZstdContexts implements AutoCloseable {

    private static final long MAX_MEMORY = 64L << 20;
    private static final long DECOMPRESSOR_MEMORY = 256 << 10;
    private static final long MIN_COMPRESSOR_MEMORY = 2 << 20;
    private static final long MAX_TABLE_RATIO = 16; // bytes of tables for each byte of a block, at each level

    private final int maxIdle;
    private final ArrayDeque<Compressor> compressors = new ArrayDeque<>();
    private final ArrayDeque<ZstdDecompressCtx> decompressors = new ArrayDeque<>();
    private long memory; // of all idle contexts, at most
    private boolean closed;

    ZstdContexts(int cores) {
        maxIdle = cores;
    }

    /** A context that compresses. */
    static final class Compressor {

        final ZstdCompressCtx context = new ZstdCompressCtx();
        private long memory = MIN_COMPRESSOR_MEMORY;

        private Compressor() {}
    }

    /** Returns a context without parameters for a block of this size. */
    Compressor takeCompressor(int blockSize) {
        var compressor = idleCompressor();
        var needed = MIN_COMPRESSOR_MEMORY + MAX_TABLE_RATIO * 2 * Integer.highestOneBit(blockSize);
        compressor.memory = Math.max(compressor.memory, needed);
        return compressor;
    }

    private Compressor idleCompressor() {
        synchronized (this) {
            var idle = compressors.poll();
            if (idle != null) {
                memory -= idle.memory;
                return idle;
            }
        }
        return new Compressor();
    }

    void release(Compressor compressor) {
        compressor.context.reset();
        synchronized (this) {
            if (keeps(compressors.size(), compressor.memory)) {
                compressors.push(compressor);
                memory += compressor.memory;
                return;
            }
        }
        compressor.context.close();
    }

    ZstdDecompressCtx takeDecompressor() {
        synchronized (this) {
            var idle = decompressors.poll();
            if (idle != null) {
                memory -= DECOMPRESSOR_MEMORY;
                return idle;
            }
        }
        return new ZstdDecompressCtx();
    }

    void release(ZstdDecompressCtx decompressor) {
        decompressor.reset();
        synchronized (this) {
            if (keeps(decompressors.size(), DECOMPRESSOR_MEMORY)) {
                decompressors.push(decompressor);
                memory += DECOMPRESSOR_MEMORY;
                return;
            }
        }
        decompressor.close();
    }

    private boolean keeps(int idle, long bytes) {
        return !closed && idle < maxIdle && memory + bytes <= MAX_MEMORY;
    }

    /** Returns the number of idle contexts. */
    synchronized int idle() {
        return compressors.size() + decompressors.size();
    }

    /** Returns the memory of all idle contexts, at most, in bytes. */
    synchronized long memory() {
        return memory;
    }

    /** Frees the idle contexts, and those in use when they are released. */
    @Override
    public synchronized void close() {
        closed = true;
        compressors.forEach(compressor -> compressor.context.close());
        compressors.clear();
        decompressors.forEach(ZstdDecompressCtx::close);
        decompressors.clear();
        memory = 0;
    }
}
