// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.github.luben.zstd.Zstd;
import dev.jurom.fixture.Command;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** The codecs of workers and of this process accept the same frames, with the same content and the same errors. */
class SameCodecTest {

    private static final boolean LONG = Boolean.getBoolean("jurom.long");
    private static final int CAPACITY = 300_000;

    private static final Map<CompressionFormat, List<byte[]>> FRAMES = new EnumMap<>(CompressionFormat.class);
    private static final byte[] DICTIONARY = dictionary();
    private static Compression offload;
    private static Compression local;

    @BeforeContainer
    static void open() throws IOException {
        offload = Compression.open(CompressionConfiguration.builder()
                .mode(CompressionMode.OFFLOAD)
                .blockSize(2 * CAPACITY)
                .build());
        local = Samples.local(CAPACITY);
        for (var format : CompressionFormat.values()) {
            FRAMES.put(format, frames(format));
        }
    }

    @AfterContainer
    static void close() {
        offload.close();
    }

    private static byte[] dictionary() {
        var parts = new ArrayList<byte[]>();
        for (var part = 0; part < 2000; part++) {
            parts.add(Samples.mixed(300, part));
        }
        var dictionary = new byte[10_000];
        Zstd.trainFromBuffer(parts.toArray(byte[][]::new), dictionary);
        return dictionary;
    }

    /** Frames of this library, of programs and of other libraries. */
    private static List<byte[]> frames(CompressionFormat format) throws IOException {
        var frames = new ArrayList<byte[]>();
        for (var size : new int[] {0, 1, 30, 700, 5000, 150_000}) {
            for (var content : new byte[][] {Samples.mixed(size, size), Samples.random(size, 1), new byte[size]}) {
                for (var level : new int[] {format.minLevel(), format.defaultLevel(), format.maxLevel()}) {
                    var parameters = CompressionParameters.of(format)
                            .withLevel(Math.max(level, -5))
                            .withChecksum(size % 4 == 0);
                    frames.add(compressed(parameters, content));
                }
                frames.addAll(foreign(format, content));
            }
        }
        if (format == CompressionFormat.ZSTD) {
            frames.add(compressed(CompressionParameters.of(format).withDictionary(DICTIONARY), Samples.mixed(3000, 1)));
        }
        return frames;
    }

    private static byte[] compressed(CompressionParameters parameters, byte[] content) {
        var buffer = new byte[(int) local.maxCompressedSize(content.length)];
        return Arrays.copyOf(
                buffer, (int) local.compress(parameters, MemorySegment.ofArray(content), MemorySegment.ofArray(buffer))
                        .join()
                        .byteSize());
    }

    private static List<byte[]> foreign(CompressionFormat format, byte[] content) throws IOException {
        return switch (format) {
            case ZSTD -> List.of(written("zstd -c", content), written("zstd -19 --no-check -c", content));
            case LZ4 ->
                List.of(
                        written("lz4 -BD -B4 -c", content),
                        written("lz4 -B4 -BX --no-frame-crc -c", content),
                        written("lz4 -l -c", content));
            case GZIP -> {
                var bytes = new ByteArrayOutputStream();
                try (var out = new GZIPOutputStream(bytes)) {
                    out.write(content);
                }
                yield List.of(bytes.toByteArray(), written("gzip -c", content));
            }
            case ZLIB, DEFLATE -> {
                var frames = new ArrayList<byte[]>();
                for (var strategy : new int[] {Deflater.FILTERED, Deflater.HUFFMAN_ONLY}) {
                    var deflater = new Deflater(9, format == CompressionFormat.DEFLATE);
                    deflater.setStrategy(strategy);
                    var bytes = new ByteArrayOutputStream();
                    try (var out = new DeflaterOutputStream(bytes, deflater)) {
                        out.write(content);
                    }
                    frames.add(bytes.toByteArray());
                }
                yield frames;
            }
        };
    }

    private static byte[] written(String command, byte[] content) throws IOException {
        Path plain = Files.createTempFile("jurom", ".plain");
        Path file = Files.createTempFile("jurom", ".frames");
        try {
            Files.write(plain, content);
            Command.run("sh", "-c", command + " < " + plain + " > " + file);
            return Files.readAllBytes(file);
        } finally {
            Files.delete(plain);
            Files.delete(file);
        }
    }

    /** Returns the error, or a digest of the content. */
    private static Object outcome(Compression by, CompressionParameters parameters, byte[] frame, int capacity) {
        var buffer = new byte[capacity];
        try {
            var content = by.decompress(parameters, MemorySegment.ofArray(frame), MemorySegment.ofArray(buffer))
                    .join();
            return Tuple.of(content.byteSize(), Arrays.hashCode(Arrays.copyOf(buffer, (int) content.byteSize())));
        } catch (CompletionException e) {
            return e.getCause() instanceof CompressionException failure ? failure.error() : e;
        }
    }

    private static void assertSame(CompressionFormat format, byte[] frame, boolean isCorrupt, Random random) {
        var capacity = random.nextInt(4) == 0 ? random.nextInt(CAPACITY) : CAPACITY;
        var parameters = CompressionParameters.of(format);
        if (format == CompressionFormat.ZSTD && random.nextInt(4) == 0) {
            parameters = parameters.withDictionary(DICTIONARY);
        }
        var here = outcome(local, parameters, frame, capacity);
        var there = outcome(offload, parameters, frame, capacity);
        if (isCorrupt
                && format == CompressionFormat.ZSTD
                && dependsOnVersion(here)
                && dependsOnVersion(there)
                && !(here instanceof Tuple && there instanceof Tuple && hasChecksum(frame))) {
            return;
        }
        assertEquals(
                here,
                there,
                format + " into " + capacity + " bytes: "
                        + java.util.HexFormat.of().formatHex(frame));
    }

    /**
     * Returns whether the outcome of a corrupt zstd frame may depend on the version of libzstd, of which the worker may have
     * another: versions from 1.5.5 on verify more entropy-coded bits, and reject blocks that are longer than the window.
     * The frame is then accepted or corrupt, and in a small buffer either the corruption or the end of the buffer is
     * found first.
     */
    private static boolean dependsOnVersion(Object outcome) {
        return outcome == CompressionError.CORRUPT
                || outcome == CompressionError.OUTPUT_TOO_LARGE
                || outcome instanceof Tuple;
    }

    private static boolean hasChecksum(byte[] frame) {
        return frame.length > 4 && (frame[4] & 4) != 0;
    }

    private static byte[] frame(CompressionFormat format, Random random) {
        var frames = FRAMES.get(format);
        return frames.get(random.nextInt(frames.size()));
    }

    @Property(tries = 500)
    void whole_and_cut_frames(@ForAll CompressionFormat format, @ForAll Random random) {
        var frame = frame(format, random);
        assertSame(format, frame, false, random);
        assertSame(format, Arrays.copyOf(frame, random.nextInt(frame.length + 1)), false, random);
        assertSame(format, Arrays.copyOf(frame, frame.length + 1 + random.nextInt(9)), false, random);
    }

    /** Most changes are near the start, where the headers are. */
    private static byte[] mutated(byte[] frame, int changes, Random random) {
        var bytes = frame.clone();
        for (var change = 0; change < changes && bytes.length > 0; change++) {
            var at = random.nextInt(random.nextBoolean() ? Math.min(bytes.length, 60) : bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt();
                case 2 -> bytes[at] += (byte) (random.nextBoolean() ? 1 : -1);
                default -> bytes[at] = (byte) (random.nextBoolean() ? 0 : 255);
            }
        }
        return bytes;
    }

    /** Restores the checksum of the header of an LZ4 frame, so that changes of the header matter. */
    private static void restoreHeader(byte[] frame) {
        var length = frame.length < 6 ? 0 : 7 + ((frame[4] & 8) == 0 ? 0 : 8) + ((frame[4] & 1) == 0 ? 0 : 4);
        if (length > 0 && length <= frame.length) {
            frame[length - 1] = (byte) (XxHash32.of(frame, 4, length - 5) >> 8);
        }
    }

    @Property(tries = 2000)
    void mutated_frames(
            @ForAll CompressionFormat format, @ForAll @IntRange(min = 1, max = 3) int changes, @ForAll Random random) {
        for (var attempt = 0; attempt < (LONG ? 10 : 1); attempt++) {
            var frame = mutated(frame(format, random), changes, random);
            if (format == CompressionFormat.LZ4 && random.nextBoolean()) {
                restoreHeader(frame);
            }
            assertSame(format, frame, true, random);
        }
    }

    @Property(tries = 500)
    void arbitrary_bytes_behind_a_magic_number(@ForAll CompressionFormat format, @ForAll Random random) {
        var bytes = Samples.random(random.nextInt(200), random.nextLong());
        var magic = switch (format) {
            case ZSTD -> random.nextInt(5) == 0 ? 0xFD2FB520 + random.nextInt(9) : 0xFD2FB528;
            case LZ4 -> random.nextBoolean() ? 0x184D2204 : 0x184C2102;
            case GZIP -> 0x00088B1F | random.nextInt(256) << 24;
            case ZLIB -> 0x9C78;
            case DEFLATE -> random.nextInt();
        };
        if (random.nextInt(5) == 0) {
            magic = 0x184D2A50 + random.nextInt(16); // to skip
        }
        for (var i = 0; i < Math.min(format == CompressionFormat.ZLIB ? 2 : 4, bytes.length); i++) {
            bytes[i] = (byte) (magic >> 8 * i);
        }
        assertSame(format, bytes, true, random);
    }
}
