// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionConfiguration;
import dev.jurom.compress.CompressionException;
import dev.jurom.compress.CompressionFormat;
import dev.jurom.compress.CompressionMode;
import dev.jurom.compress.CompressionParameters;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Compresses and decompresses blocks of native memory by zstd. Both methods return the bytes of all outputs. */
interface BlockCodec extends AutoCloseable {

    long compress(List<MemorySegment> blocks);

    long decompress(List<MemorySegment> frames);

    @Override
    void close();

    /** This process: one thread, with one context and one buffer. */
    final class InProcess implements BlockCodec {

        private final ZstdCompressCtx compressor = new ZstdCompressCtx();
        private final ZstdDecompressCtx decompressor = new ZstdDecompressCtx();
        private final ByteBuffer target;

        InProcess(int level, int block) {
            compressor.setLevel(level);
            target = ByteBuffer.allocateDirect((int) CompressionFormat.maxCompressedSize(block));
        }

        @Override
        public long compress(List<MemorySegment> blocks) {
            var sum = 0L;
            for (var block : blocks) {
                sum += compressor.compressDirectByteBuffer(
                        target, 0, target.capacity(), block.asByteBuffer(), 0, (int) block.byteSize());
            }
            return sum;
        }

        /** Returns a copy of the frame of a block. */
        MemorySegment frame(MemorySegment block, Arena arena) {
            var length = compress(List.of(block));
            return arena.allocate(length)
                    .copyFrom(MemorySegment.ofBuffer(target).asSlice(0, length));
        }

        @Override
        public long decompress(List<MemorySegment> frames) {
            var sum = 0L;
            for (var frame : frames) {
                sum += decompressor.decompressDirectByteBuffer(
                        target, 0, target.capacity(), frame.asByteBuffer(), 0, (int) frame.byteSize());
            }
            return sum;
        }

        @Override
        public void close() {
            compressor.close();
            decompressor.close();
        }
    }

    /** Workers of the embedded service, with several blocks in flight. */
    final class InWorkers implements BlockCodec {

        private static final int IN_FLIGHT = 3; // blocks of each worker: they fit into its ring

        private final Compression compression;
        private final Arena arena = Arena.ofShared();
        private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();

        InWorkers(int workers, int level, int block) throws CompressionException {
            compression = Compression.open(CompressionConfiguration.builder()
                    .mode(CompressionMode.OFFLOAD)
                    .parameters(CompressionParameters.of(CompressionFormat.ZSTD).withLevel(level))
                    .blockSize(block)
                    .workers(workers)
                    .build());
            for (var i = 0; i < workers * IN_FLIGHT; i++) {
                free.add(arena.allocate(compression.maxCompressedSize(block)));
            }
        }

        private record InFlight(MemorySegment target, CompletableFuture<MemorySegment> output) {}

        @Override
        public long compress(List<MemorySegment> blocks) {
            return process(blocks, (source, target) -> compression.compress(source, target));
        }

        @Override
        public long decompress(List<MemorySegment> frames) {
            return process(frames, (source, target) -> compression.decompress(source, target));
        }

        private interface Submission {
            CompletableFuture<MemorySegment> submit(MemorySegment source, MemorySegment target);
        }

        private long process(List<MemorySegment> sources, Submission submission) {
            var sum = 0L;
            var inFlight = new ArrayDeque<InFlight>();
            for (var source : sources) {
                if (free.isEmpty()) {
                    sum += finish(inFlight.poll());
                }
                var target = free.poll();
                inFlight.add(new InFlight(target, submission.submit(source, target)));
            }
            while (!inFlight.isEmpty()) {
                sum += finish(inFlight.poll());
            }
            return sum;
        }

        private long finish(InFlight first) {
            var size = first.output().join().byteSize();
            free.add(first.target());
            return size;
        }

        @Override
        public void close() {
            compression.close();
            arena.close();
        }
    }
}
