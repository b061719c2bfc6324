// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import dev.jurom.fixture.Command;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4FrameInputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Streams, compared with other programs and libraries. */
class CompressionStreamTest {

    private static final int BLOCK = 64 << 10;
    private static final Map<CompressionFormat, String> PROGRAMS =
            Map.of(CompressionFormat.ZSTD, "zstd", CompressionFormat.LZ4, "lz4", CompressionFormat.GZIP, "gzip");

    private static Compression compression;

    @TempDir
    Path folder;

    @BeforeAll
    static void open() throws CompressionException {
        compression = Compression.open(CompressionConfiguration.builder()
                .mode(CompressionMode.OFFLOAD)
                .blockSize(BLOCK)
                .maxMessageSize(4 * BLOCK) // with room for dictionaries
                .build());
    }

    @AfterAll
    static void close() {
        compression.close();
    }

    static byte[] compressed(Compression by, CompressionParameters parameters, byte[] content) throws IOException {
        var frames = new ByteArrayOutputStream();
        try (var out = new OffloadOutputStream(by, parameters, frames)) {
            out.write(content);
        }
        return frames.toByteArray();
    }

    static byte[] decompressed(Compression by, CompressionParameters parameters, byte[] frames) throws IOException {
        try (var in = new OffloadInputStream(by, parameters, new ByteArrayInputStream(frames))) {
            return in.readAllBytes();
        }
    }

    private static OutputStream libraryOutput(CompressionFormat format, OutputStream out) throws IOException {
        return switch (format) {
            case ZSTD -> new ZstdOutputStream(out);
            case LZ4 -> new LZ4FrameOutputStream(out);
            default -> new GZIPOutputStream(out);
        };
    }

    private static InputStream libraryInput(CompressionFormat format, InputStream in) throws IOException {
        return switch (format) {
            case ZSTD -> new ZstdInputStream(in);
            case LZ4 -> new LZ4FrameInputStream(in);
            default -> new GZIPInputStream(in);
        };
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionFormat.class,
            names = {"ZSTD", "LZ4", "GZIP"})
    void programs_and_libraries_read_what_is_written(CompressionFormat format) throws IOException {
        for (var size : new int[] {0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 20 * BLOCK + 7}) {
            var content = Samples.mixed(size, size);
            var frames =
                    compressed(compression, CompressionParameters.of(format).withChecksum(true), content);

            var file = Files.write(folder.resolve("frames"), frames);
            var plain = folder.resolve("plain");
            Command.run("sh", "-c", PROGRAMS.get(format) + " -d -c < " + file + " > " + plain);
            assertArrayEquals(content, Files.readAllBytes(plain));
            try (var in = libraryInput(format, new ByteArrayInputStream(frames))) {
                assertArrayEquals(content, in.readAllBytes());
            }
            assertArrayEquals(content, decompressed(compression, CompressionParameters.of(format), frames));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionFormat.class,
            names = {"ZSTD", "LZ4", "GZIP"})
    void frames_of_programs_and_libraries_are_read(CompressionFormat format) throws IOException {
        for (var size : new int[] {0, 1, BLOCK, 20 * BLOCK + 7}) {
            var content = Samples.mixed(size, size);
            var parameters = CompressionParameters.of(format);
            var plain = Files.write(folder.resolve("plain"), content);
            var file = folder.resolve("frames");
            Command.run("sh", "-c", PROGRAMS.get(format) + " -c < " + plain + " > " + file);
            assertArrayEquals(content, decompressed(compression, parameters, Files.readAllBytes(file)));
            Command.run("sh", "-c", PROGRAMS.get(format) + " -c " + plain + " > " + file);
            assertArrayEquals(content, decompressed(compression, parameters, Files.readAllBytes(file)));

            var frames = new ByteArrayOutputStream();
            try (var out = libraryOutput(format, frames)) {
                out.write(content);
            }
            assertArrayEquals(content, decompressed(compression, parameters, frames.toByteArray()));
        }
    }

    /** Between frames of this library, so that blocks and foreign frames alternate. */
    @ParameterizedTest
    @EnumSource(
            value = CompressionFormat.class,
            names = {"ZSTD", "LZ4", "GZIP"})
    void foreign_frames_are_read_between_blocks(CompressionFormat format) throws IOException {
        var parameters = CompressionParameters.of(format);
        var frames = new ByteArrayOutputStream();
        var content = new ByteArrayOutputStream();
        for (var part = 0; part < 6; part++) {
            var bytes = Samples.mixed(3 * BLOCK + part, part);
            content.write(bytes);
            if (part % 2 == 0) {
                frames.write(compressed(compression, parameters, bytes));
            } else {
                var foreign = new ByteArrayOutputStream();
                try (var out = libraryOutput(format, foreign)) {
                    out.write(bytes);
                }
                frames.write(foreign.toByteArray());
            }
        }
        assertArrayEquals(content.toByteArray(), decompressed(compression, parameters, frames.toByteArray()));
    }

    @Test
    void a_dictionary_is_used_by_both_directions() throws IOException {
        var dictionary = Samples.mixed(BLOCK, 9);
        var parameters = CompressionParameters.of(CompressionFormat.ZSTD).withDictionary(dictionary);
        var content = Arrays.copyOfRange(dictionary, 1000, 20_000);

        var frames = compressed(compression, parameters, content);
        assertArrayEquals(content, decompressed(compression, parameters, frames));
        assertTrue(frames.length < 100, () -> frames.length + " bytes");
        try (var local = Compression.open(
                CompressionConfiguration.builder().mode(CompressionMode.LOCAL).build())) {
            assertArrayEquals(content, decompressed(local, parameters, frames));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionFormat.class,
            names = {"ZSTD", "LZ4", "GZIP"},
            mode = Mode.EXCLUDE)
    void formats_that_cannot_be_concatenated_have_no_streams(CompressionFormat format) {
        var parameters = CompressionParameters.of(format);
        assertThrows(
                IllegalArgumentException.class,
                () -> new OffloadOutputStream(compression, parameters, OutputStream.nullOutputStream()));
        assertThrows(
                IllegalArgumentException.class,
                () -> new OffloadInputStream(compression, parameters, InputStream.nullInputStream()));
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionFormat.class,
            names = {"ZSTD", "LZ4", "GZIP"})
    void a_flush_makes_all_bytes_readable(CompressionFormat format) throws IOException {
        var parameters = CompressionParameters.of(format);
        var frames = new ByteArrayOutputStream();
        try (var out = new OffloadOutputStream(compression, parameters, frames)) {
            out.write(Samples.mixed(100, 1));
            out.flush();
            assertEquals(100, out.position());
            assertArrayEquals(Samples.mixed(100, 1), decompressed(compression, parameters, frames.toByteArray()));
        }
    }

    /** The fourth frame of each stream is corrupt or truncated. */
    @ParameterizedTest
    @EnumSource(
            value = CompressionFormat.class,
            names = {"ZSTD", "LZ4", "GZIP"})
    void the_position_after_corrupt_and_truncated_frames_is_that_of_the_frame(CompressionFormat format)
            throws IOException {
        var parameters = CompressionParameters.of(format).withChecksum(true);
        var content = Samples.mixed(3 * BLOCK, 1);
        var good = compressed(compression, parameters, content);
        var last = compressed(compression, parameters, Samples.mixed(BLOCK, 2));
        for (var length : new int[] {4, last.length / 2, last.length - 1}) {
            assertFailsAfter(parameters, content, join(good, Arrays.copyOf(last, length)), CompressionError.TRUNCATED);
        }
        var corrupt = last.clone();
        corrupt[last.length / 2] ^= 0x55;
        assertFailsAfter(parameters, content, join(good, corrupt), CompressionError.CORRUPT);
        assertFailsAfter(parameters, content, join(good, "no frame begins here".getBytes()), CompressionError.CORRUPT);
    }

    private static byte[] join(byte[] first, byte[] second) {
        var joined = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return joined;
    }

    private static void assertFailsAfter(
            CompressionParameters parameters, byte[] content, byte[] frames, CompressionError error)
            throws IOException {
        try (var in = new OffloadInputStream(compression, parameters, new ByteArrayInputStream(frames))) {
            assertArrayEquals(content, in.readNBytes(content.length));
            for (var attempt = 0; attempt < 2; attempt++) {
                var failure = assertThrows(CompressionException.class, in::read);
                assertEquals(error, failure.error(), failure::toString);
                assertEquals(content.length, failure.offset());
                assertEquals(content.length, in.position());
            }
        }
    }
}
