// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import dev.jurom.testing.CLayout;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import net.jpountz.lz4.LZ4FrameInputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.junit.jupiter.api.Test;

/**
 * Blocks of all formats, levels and sizes, between the worker, this process and the reference libraries. The
 * constants of the protocol, which Java and C both state, are compared by these exchanges.
 */
class CompressionPropertiesTest {

    private static final int LARGEST = 1 << 20;
    private static final int TRIES = 60;

    private static Compression offload;
    private static Compression local;

    @BeforeContainer
    static void open() throws CompressionException {
        offload = Compression.open(CompressionConfiguration.builder()
                .mode(CompressionMode.OFFLOAD)
                .blockSize(LARGEST)
                .build());
        local = Compression.open(
                CompressionConfiguration.builder().mode(CompressionMode.LOCAL).build());
    }

    @AfterContainer
    static void close() {
        offload.close();
        local.close();
    }

    @Provide
    static Arbitrary<CompressionParameters> parameters() {
        return Combinators.combine(
                        Arbitraries.of(CompressionFormat.class),
                        Arbitraries.doubles().between(0, 1),
                        Arbitraries.of(true, false))
                .as((format, share, checksum) -> {
                    var least = Math.max(format.minLevel(), -5);
                    var level = least + (int) Math.round(share * (format.maxLevel() - least));
                    return CompressionParameters.of(format).withLevel(level).withChecksum(checksum);
                });
    }

    @Provide
    static Arbitrary<byte[]> blocks() {
        var sizes = Arbitraries.oneOf(
                Arbitraries.of(0, 1, 127, 128, 65_535, 65_536, 65_537, LARGEST - 1, LARGEST),
                Arbitraries.integers().between(0, 4096),
                Arbitraries.integers().between(0, LARGEST));
        return Combinators.combine(sizes, Arbitraries.longs(), Arbitraries.of(0, 1, 2))
                .as((size, seed, kind) -> switch (kind) {
                    case 0 -> Samples.mixed(size, seed);
                    case 1 -> Samples.random(size, seed);
                    default -> new byte[size];
                });
    }

    private static byte[] compress(Compression by, CompressionParameters parameters, byte[] block) {
        var buffer = new byte[(int) by.maxCompressedSize(block.length)];
        var frame = by.compress(parameters, MemorySegment.ofArray(block), MemorySegment.ofArray(buffer))
                .join();
        return Arrays.copyOf(buffer, (int) frame.byteSize());
    }

    private static byte[] decompress(Compression by, CompressionParameters parameters, byte[] frame, int size) {
        var buffer = new byte[size];
        var block = by.decompress(parameters, MemorySegment.ofArray(frame), MemorySegment.ofArray(buffer))
                .join();
        return Arrays.copyOf(buffer, (int) block.byteSize());
    }

    private static byte[] decompressByReference(CompressionFormat format, byte[] frame, int size) throws IOException {
        var bytes = new ByteArrayInputStream(frame);
        var in = switch (format) {
            case ZSTD -> new ByteArrayInputStream(Zstd.decompress(frame, size));
            case LZ4 -> new LZ4FrameInputStream(bytes);
            case GZIP -> new GZIPInputStream(bytes);
            case ZLIB -> new InflaterInputStream(bytes);
            case DEFLATE -> new InflaterInputStream(bytes, new Inflater(true));
        };
        try (in) {
            return in.readAllBytes();
        }
    }

    private static byte[] compressByReference(CompressionFormat format, int level, byte[] block) throws IOException {
        var bytes = new ByteArrayOutputStream();
        switch (format) {
            case ZSTD -> {
                try (var context = new ZstdCompressCtx()) {
                    bytes.write(context.setLevel(level).compress(block));
                }
            }
            case LZ4 -> write(new LZ4FrameOutputStream(bytes), block);
            case GZIP -> write(new GZIPOutputStream(bytes), block);
            case ZLIB -> write(new DeflaterOutputStream(bytes, new Deflater(Math.min(level, 9))), block);
            case DEFLATE -> write(new DeflaterOutputStream(bytes, new Deflater(Math.min(level, 9), true)), block);
        }
        return bytes.toByteArray();
    }

    private static void write(OutputStream to, byte[] block) throws IOException {
        try (to) {
            to.write(block);
        }
    }

    @Property(tries = TRIES)
    void reference_libraries_read_the_frames_of_workers(
            @ForAll("parameters") CompressionParameters parameters, @ForAll("blocks") byte[] block) throws IOException {
        var frame = compress(offload, parameters, block);
        assertArrayEquals(block, decompressByReference(parameters.format(), frame, block.length));
        assertArrayEquals(block, decompress(local, parameters, frame, block.length));
        assertArrayEquals(block, decompress(offload, parameters, frame, block.length));
    }

    @Property(tries = TRIES)
    void workers_read_the_frames_of_reference_libraries(
            @ForAll("parameters") CompressionParameters parameters, @ForAll("blocks") byte[] block) throws IOException {
        var frame = compressByReference(parameters.format(), parameters.level(), block);
        assertArrayEquals(block, decompress(offload, parameters, frame, block.length));
        assertArrayEquals(block, decompress(offload, parameters, compress(local, parameters, block), block.length));
    }

    /** The bytes beside a buffer do not change, and the outputs of both sides have the same errors. */
    @Property(tries = TRIES)
    void nothing_is_written_past_a_buffer(
            @ForAll("parameters") CompressionParameters parameters,
            @ForAll("blocks") byte[] block,
            @ForAll @IntRange(max = 1000) int share) {
        var frame = compress(local, parameters, block);
        for (var by : List.of(offload, local)) {
            try (var arena = Arena.ofShared()) {
                var source = arena.allocateFrom(ValueLayout.JAVA_BYTE, block);
                requireBounds(arena, frame.length * share / 1000, target -> by.compress(parameters, source, target));
                var compressed = arena.allocateFrom(ValueLayout.JAVA_BYTE, frame);
                var room = (int) ((long) block.length * share / 1000);
                requireBounds(arena, room, target -> by.decompress(parameters, compressed, target));
            }
        }
    }

    private interface Operation {
        java.util.concurrent.CompletableFuture<MemorySegment> into(MemorySegment target);
    }

    private static void requireBounds(Arena arena, int room, Operation operation) {
        var memory = arena.allocate(room + 16L);
        memory.fill((byte) 0x77);
        try {
            operation.into(memory.asSlice(8, room)).join();
        } catch (CompletionException e) {
            assertEquals(CompressionError.OUTPUT_TOO_LARGE, ((CompressionException) e.getCause()).error());
        }
        assertEquals(0x7777777777777777L, memory.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
        assertEquals(0x7777777777777777L, memory.get(ValueLayout.JAVA_LONG_UNALIGNED, room + 8L));
    }

    /** The worker survives: the next block succeeds. */
    @Property(tries = TRIES)
    void corrupt_frames_have_typed_failures(
            @ForAll("parameters") CompressionParameters parameters, @ForAll("blocks") byte[] block, @ForAll long seed) {
        var checked = parameters.withChecksum(true);
        var frame = compress(offload, checked, block);
        var at = (int) Long.remainderUnsigned(seed, frame.length);
        frame[at] ^= (byte) (1 << (seed >>> 61));
        for (var by : List.of(offload, local)) {
            try {
                decompress(by, checked, frame, block.length);
            } catch (CompletionException e) {
                var error = ((CompressionException) e.getCause()).error();
                assertEquals(false, error.isOfWorker() && error != CompressionError.MEMORY, error::toString);
            }
        }
    }

    @Property(tries = 20)
    void levels_outside_the_format_have_a_typed_failure(
            @ForAll CompressionFormat format, @ForAll @IntRange(min = 1, max = 1000) int beyond) {
        for (var by : List.of(offload, local)) {
            for (var level : new int[] {format.maxLevel() + beyond, format.minLevel() - beyond}) {
                var parameters = CompressionParameters.of(format).withLevel(level);
                var failure = assertThrows(CompletionException.class, () -> compress(by, parameters, new byte[10]));
                assertEquals(CompressionError.INVALID_LEVEL, ((CompressionException) failure.getCause()).error());
            }
        }
    }

    @Test
    void the_structs_have_the_layout_of_the_header() {
        var headers = Path.of(System.getProperty("jurom.source"), "headers").toAbsolutePath();
        var header = CLayout.of("#include <jurom/urom_compress.h>", "-I" + headers);
        header.requireSame(CompressCommand.CODEC);
        header.requireSame(CompressCommand.ANSWER);
    }

    @Test
    void segments_that_workers_cannot_use_are_rejected() {
        try (var arena = Arena.ofConfined();
                var plain = Compression.open()) {
            var good = MemorySegment.ofArray(new byte[100]);
            for (var bad : List.of(arena.allocate(100), MemorySegment.ofArray(new int[25]))) {
                assertThrows(IllegalArgumentException.class, () -> plain.compress(bad, good));
                assertThrows(IllegalArgumentException.class, () -> plain.compress(good, bad));
            }
            assertThrows(IllegalArgumentException.class, () -> plain.compress(good, good.asReadOnly()));
        }
    }
}
