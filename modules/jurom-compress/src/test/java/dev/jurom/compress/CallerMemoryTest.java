// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.EmbeddedWorkers;
import dev.jurom.fixture.Waiting;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests memory of callers that becomes invalid while blocks are in flight, and failing blocks beside those of other
 * callers.
 */
class CallerMemoryTest {

    private static final int BLOCK = 64 << 10;
    private static final CompressionParameters ZSTD = CompressionParameters.of(CompressionFormat.ZSTD);

    @TempDir
    Path folder;

    private static Compression open(CompressionMode mode) throws CompressionException {
        return Compression.open(CompressionConfiguration.builder()
                .mode(mode)
                .blockSize(BLOCK)
                .timeout(Duration.ofMillis(500))
                .build());
    }

    private static CompressionException failure(CompletableFuture<?> future) {
        return assertInstanceOf(
                CompressionException.class,
                assertThrows(CompletionException.class, future::join).getCause());
    }

    private static MemorySegment text(Arena arena) {
        return arena.allocateFrom(ValueLayout.JAVA_BYTE, Samples.mixed(BLOCK, 1));
    }

    private static void requireWorks(Compression compression) {
        var block = Samples.mixed(BLOCK, 7);
        var room = MemorySegment.ofArray(new byte[(int) compression.maxCompressedSize(BLOCK)]);
        var frame = compression.compress(MemorySegment.ofArray(block), room).join();
        var text = new byte[BLOCK];
        compression.decompress(frame, MemorySegment.ofArray(text)).join();
        assertArrayEquals(block, text);
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionMode.class,
            names = {"OFFLOAD", "AUTO"})
    void an_arena_that_is_closed_while_a_block_is_in_flight_fails_the_block(CompressionMode mode) throws IOException {
        try (var compression = open(mode)) {
            for (var round = 0; round < 3; round++) {
                EmbeddedWorkers.signal("STOP");
                var arena = Arena.ofShared();
                var source = text(arena);
                var destination = arena.allocate(compression.maxCompressedSize(BLOCK));
                var future = compression.compress(ZSTD, source, destination);
                arena.close();
                if (mode == CompressionMode.OFFLOAD) {
                    EmbeddedWorkers.signal("CONT"); // AUTO: the block times out, and this process takes over
                }
                assertEquals(CompressionError.INACCESSIBLE, failure(future).error());
                EmbeddedWorkers.signal("CONT");
                requireWorks(compression);
            }
            assertEquals(1, compression.counters().workersStarted());
        }
    }

    @ParameterizedTest
    @EnumSource(CompressionMode.class)
    void a_closed_arena_fails_the_block(CompressionMode mode) throws IOException {
        try (var compression = open(mode)) {
            var arena = Arena.ofShared();
            var memory = text(arena);
            arena.close();
            var array = MemorySegment.ofArray(new byte[(int) compression.maxCompressedSize(BLOCK)]);
            assertEquals(
                    CompressionError.INACCESSIBLE,
                    failure(compression.compress(memory, array)).error());
            assertEquals(
                    CompressionError.INACCESSIBLE,
                    failure(compression.compress(array, memory)).error());
            requireWorks(compression);
            assertEquals(0, compression.counters().fallbacks());
        }
    }

    /** A fault in native code would end this process. */
    @ParameterizedTest
    @EnumSource(CompressionMode.class)
    void a_truncated_mapped_file_fails_the_block(CompressionMode mode) throws IOException {
        try (var compression = open(mode);
                var arena = Arena.ofShared();
                var channel = FileChannel.open(
                        folder.resolve("file"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            var size = 2 * BLOCK;
            var mapped = channel.map(MapMode.READ_WRITE, 0, size, arena);
            channel.truncate(0);
            for (var format : CompressionFormat.values()) {
                var parameters = CompressionParameters.of(format);
                var text = text(arena);
                var room = arena.allocate(compression.maxCompressedSize(size));
                var frame = compression.compress(parameters, text, room).join();
                for (var future : new CompletableFuture<?>[] {
                    compression.compress(parameters, mapped.asSlice(0, BLOCK), room.asSlice(room.byteSize() / 2)),
                    compression.decompress(parameters, mapped.asSlice(0, BLOCK), room.asSlice(room.byteSize() / 2)),
                    compression.compress(parameters, text, mapped),
                    compression.decompress(parameters, frame, mapped)
                }) {
                    var failure = failure(future);
                    assertEquals(CompressionError.INACCESSIBLE, failure.error(), failure::toString);
                    assertInstanceOf(InternalError.class, failure.getCause());
                }
            }
            requireWorks(compression);
            assertEquals(0, compression.counters().fallbacks());
        }
    }

    @Test
    void blocks_that_fail_do_not_replace_the_worker_of_other_callers() throws Exception {
        try (var compression = open(CompressionMode.OFFLOAD)) {
            var stop = new AtomicInteger();
            var innocent = CompletableFuture.supplyAsync(() -> {
                var blocks = 0;
                while (stop.get() == 0 || blocks == 0) {
                    requireWorks(compression);
                    blocks++;
                }
                return blocks;
            });
            var array = MemorySegment.ofArray(new byte[2 * BLOCK]);
            for (var round = 0; round < 30; round++) {
                var arena = Arena.ofShared();
                var source = text(arena);
                var destination = arena.allocate(2 * BLOCK);
                var closed = compression.compress(ZSTD, source, destination);
                arena.close();
                closed.exceptionally(e -> destination).join(); // the block may have been complete before
                failure(compression.compress(source, array));
                failure(compression.decompress(MemorySegment.ofArray(Samples.random(BLOCK, 1)), array));
                failure(compression.compress(ZSTD.withLevel(99), array.asSlice(0, BLOCK), array.asSlice(BLOCK)));
                failure(compression.compress(array.asSlice(0, BLOCK), array.asSlice(BLOCK, 8)));
                failure(compression.compress(MemorySegment.ofArray(new byte[40 * BLOCK]), array));
            }
            stop.set(1);
            assertTrue(innocent.join() > 0);
            assertEquals(1, compression.counters().workersStarted());
        }
    }

    @Test
    void a_worker_that_hangs_is_replaced_but_not_one_whose_blocks_take_too_long() throws Exception {
        var size = 4 << 20;
        try (var compression = Compression.open(CompressionConfiguration.builder()
                .mode(CompressionMode.AUTO)
                .blockSize(size)
                .timeout(Duration.ofMillis(300))
                .build())) {
            var block = MemorySegment.ofArray(Samples.mixed(size, 1));
            var room = MemorySegment.ofArray(new byte[(int) compression.maxCompressedSize(size)]);
            var slow = ZSTD.withLevel(22);
            for (var i = 0; i < 2; i++) {
                compression.compress(slow, block, room).join();
            }
            assertTrue(compression.counters().fallbacks() > 0, "the blocks are too fast");
            requireWorks(compression);
            assertEquals(1, compression.counters().workersStarted());

            EmbeddedWorkers.signal("STOP");
            requireWorks(compression);
            Waiting.until(
                    "another worker runs",
                    () -> compression.counters().workersStarted() == 2
                            && compression.counters().workers() == 1);
            EmbeddedWorkers.signal("CONT");
        }
    }

    @Test
    void a_corrupt_block_is_not_decoded_twice() throws Exception {
        try (var compression = open(CompressionMode.AUTO)) {
            var target = MemorySegment.ofArray(new byte[BLOCK]);
            for (var format : CompressionFormat.values()) {
                var garbage = MemorySegment.ofArray(Samples.random(1000, 3));
                failure(compression.decompress(CompressionParameters.of(format), garbage, target));
            }
            assertEquals(0, compression.counters().fallbacks());
        }
    }

    @Test
    void input_and_output_may_overlap() throws Exception {
        for (var mode : CompressionMode.values()) {
            try (var compression = open(mode);
                    var arena = Arena.ofShared()) {
                for (var memory :
                        new MemorySegment[] {MemorySegment.ofArray(new byte[4 * BLOCK]), arena.allocate(4 * BLOCK)}) {
                    memory.copyFrom(MemorySegment.ofArray(Samples.mixed(BLOCK, 3)));
                    var frame = compression
                            .compress(memory.asSlice(0, BLOCK), memory.asSlice(100, 2 * BLOCK))
                            .join();
                    var text = compression.decompress(frame, memory.asSlice(0)).join();
                    assertArrayEquals(Samples.mixed(BLOCK, 3), text.toArray(ValueLayout.JAVA_BYTE));
                }
            }
        }
    }
}
