// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.Waiting;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests frames that programs of the distribution write, and the memory that streams of such frames use. */
class ForeignStreamTest {

    private static final int BLOCK = 64 << 10;
    private static final Compression LOCAL = Samples.local(BLOCK);
    private static final CompressionParameters ZSTD = CompressionParameters.of(CompressionFormat.ZSTD);
    private static final CompressionParameters LZ4 = CompressionParameters.of(CompressionFormat.LZ4);
    private static final CompressionParameters GZIP = CompressionParameters.of(CompressionFormat.GZIP);

    @TempDir
    Path folder;

    /** Returns the output of a shell command that reads the content from standard input. */
    private byte[] written(String command, byte[] content) throws IOException {
        var plain = Files.write(folder.resolve("plain"), content);
        var file = folder.resolve("frames");
        Command.run("sh", "-c", command + " < " + plain + " > " + file);
        return Files.readAllBytes(file);
    }

    private static InputStream in(CompressionParameters parameters, byte[] frames) {
        return new OffloadInputStream(LOCAL, parameters, new ByteArrayInputStream(frames));
    }

    private static void assertContent(CompressionParameters parameters, byte[] content, byte[] frames)
            throws IOException {
        assertArrayEquals(content, in(parameters, frames).readAllBytes());
    }

    private static CompressionException assertFails(
            CompressionError error, CompressionParameters parameters, byte[] frames) {
        var in = in(parameters, frames);
        var failure = assertThrows(CompressionException.class, in::readAllBytes);
        assertEquals(error, failure.error(), failure::toString);
        assertEquals(error, assertThrows(CompressionException.class, in::read).error());
        return failure;
    }

    private static byte[] streamed(byte[] content, byte[] dictionary) throws IOException {
        var frame = new ByteArrayOutputStream();
        try (var out = new ZstdOutputStream(frame).setDict(dictionary).setChecksum(true)) {
            out.write(content);
        }
        return frame.toByteArray();
    }

    @Test
    void errors_of_streamed_zstd_frames_are_told_apart() throws IOException {
        var content = Samples.mixed(3 * BLOCK, 1);
        var parts = new ArrayList<byte[]>();
        for (var part = 0; part < 2000; part++) {
            parts.add(Samples.mixed(300, part));
        }
        var dictionary = new byte[10_000];
        Zstd.trainFromBuffer(parts.toArray(byte[][]::new), dictionary);
        var frame = streamed(content, dictionary);

        assertContent(ZSTD.withDictionary(dictionary), content, frame);
        assertFails(CompressionError.DICTIONARY, ZSTD, frame);
        var damaged = dictionary.clone();
        Arrays.fill(damaged, 8, 72, (byte) 0xff); // the entropy tables
        assertFails(CompressionError.DICTIONARY, ZSTD.withDictionary(damaged), frame);
        var other = dictionary.clone();
        other[4] ^= 1; // the id
        assertFails(CompressionError.DICTIONARY, ZSTD.withDictionary(other), frame);
        assertFails(
                CompressionError.TRUNCATED, ZSTD.withDictionary(dictionary), Arrays.copyOf(frame, frame.length - 1));
        frame[frame.length - 1] ^= 1; // the checksum
        assertFails(CompressionError.CORRUPT, ZSTD.withDictionary(dictionary), frame);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lz4 -B4", "lz4 -B4 -BX", "lz4 -B7", "lz4 -B5 --no-frame-crc", "lz4 -9 -B6 --content-size"})
    void linked_blocks_are_read(String command) throws IOException {
        for (var size : new int[] {0, 1, 100, BLOCK, 300_000, 5 << 20}) {
            for (var content : new byte[][] {Samples.mixed(size, size), new byte[size], Samples.random(size, size)}) {
                assertContent(LZ4, content, written(command + " -BD -c", content));
            }
        }
    }

    @Test
    void legacy_frames_are_refused_by_name() throws IOException {
        var failure = assertFails(CompressionError.UNKNOWN_FORMAT, LZ4, written("lz4 -l -c", Samples.mixed(BLOCK, 1)));
        assertTrue(failure.getMessage().contains("legacy"), failure::getMessage);
        for (var magic = 0x22; magic <= 0x27; magic++) { // zstd 0.2 to 0.7
            var frame = new byte[] {(byte) magic, (byte) 0xB5, 0x2F, (byte) 0xFD, 0, 0, 0, 0, 0};
            failure = assertFails(CompressionError.UNKNOWN_FORMAT, ZSTD, frame);
            assertTrue(failure.getMessage().contains("zstd before 0.8"), failure::getMessage);
        }
    }

    @Test
    void a_window_beyond_the_limit_is_named_with_the_limit_and_the_setting() throws IOException {
        var content = Samples.mixed(100_000, 1);
        for (var log = 28; log <= 31; log++) {
            var frame = written((log > 27 ? "zstd --ultra -1" : "zstd -1") + " --long=" + log + " -c", content);
            var failure = assertFails(CompressionError.MEMORY, ZSTD, frame);
            for (var part : new String[] {Long.toString(1L << log), "134217728", "maxWindowSize"}) {
                assertTrue(failure.getMessage().contains(part), failure::getMessage);
            }
            try (var large = Compression.open(CompressionConfiguration.builder()
                    .mode(CompressionMode.LOCAL)
                    .maxWindowSize(1L << log)
                    .maxWindowMemory(1L << log)
                    .build())) {
                assertArrayEquals(content, CompressionStreamTest.decompressed(large, ZSTD, frame));
            }
        }
        assertContent(ZSTD, content, written("zstd -1 --long=27 -c", content));
        try (var small = Compression.open(CompressionConfiguration.builder()
                .mode(CompressionMode.LOCAL)
                .maxWindowSize(1 << 20)
                .build())) {
            var failure = assertThrows(
                    CompressionException.class,
                    () -> CompressionStreamTest.decompressed(small, ZSTD, written("zstd -c", content)));
            assertEquals(CompressionError.MEMORY, failure.error());
        }
    }

    @Test
    void all_streams_share_the_memory_of_windows() throws IOException {
        var frame = written("zstd --long=27 -c", Samples.mixed(100_000, 1));
        try (var compression = Compression.open(CompressionConfiguration.builder()
                .mode(CompressionMode.LOCAL)
                .maxWindowMemory(3L << 27)
                .build())) {
            var open = new ArrayList<InputStream>();
            for (var stream = 0; stream < 3; stream++) {
                open.add(compression.inputStream(new ByteArrayInputStream(frame)));
                assertTrue(open.getLast().read() >= 0);
            }
            var refused = compression.inputStream(new ByteArrayInputStream(frame));
            var failure = assertThrows(CompressionException.class, refused::read);
            assertEquals(CompressionError.MEMORY, failure.error());
            for (var part : new String[] {Long.toString(4L << 27), Long.toString(3L << 27), "maxWindowMemory"}) {
                assertTrue(failure.getMessage().contains(part), failure::getMessage);
            }
            open.removeFirst().close();
            open.removeFirst().readAllBytes(); // the end releases it
            for (var stream = 0; stream < 100; stream++) {
                var fits = compression.inputStream(new ByteArrayInputStream(frame));
                assertEquals(100_000, fits.readAllBytes().length);
            }
        }
    }

    @Test
    void the_memory_of_streams_that_are_not_closed_is_collected() throws IOException {
        var frame = written("zstd -c", Samples.mixed(BLOCK, 1));
        try (var compression = Compression.open(CompressionConfiguration.builder()
                .mode(CompressionMode.LOCAL)
                .maxWindowMemory(8 << 20)
                .build())) {
            for (var stream = 0; stream < 50; stream++) {
                Waiting.until("there is memory for another stream", () -> {
                    try {
                        return compression
                                        .inputStream(new ByteArrayInputStream(frame))
                                        .read()
                                >= 0;
                    } catch (IOException e) {
                        System.gc();
                        return false;
                    }
                });
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionFormat.class,
            names = {"ZSTD", "LZ4", "GZIP"})
    void many_small_frames_share_one_context_and_its_buffers(CompressionFormat format) throws IOException {
        var frames = new ByteArrayOutputStream();
        for (var frame = 0; frame < 30_000; frame++) {
            try (var out = switch (format) {
                case ZSTD -> new ZstdOutputStream(frames, 1);
                case LZ4 -> new LZ4FrameOutputStream(frames, LZ4FrameOutputStream.BLOCKSIZE.SIZE_64KB);
                default -> new GZIPOutputStream(frames);
            }) {
                out.write(frame);
            }
        }
        var direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .findFirst()
                .orElseThrow();
        var before = direct.getTotalCapacity();
        var in = in(CompressionParameters.of(format), frames.toByteArray());
        for (var frame = 0; frame < 30_000; frame++) {
            assertEquals(frame & 255, in.read());
        }
        assertEquals(-1, in.read());
        assertTrue(direct.getTotalCapacity() - before < 1 << 20, () -> direct.getTotalCapacity() + " bytes");
    }

    private static byte[] join(byte[]... parts) {
        var joined = new ByteArrayOutputStream();
        for (var part : parts) {
            joined.writeBytes(part);
        }
        return joined.toByteArray();
    }

    @Test
    void bytes_behind_a_gzip_member_are_padding_or_an_error() throws IOException {
        var content = Samples.mixed(3 * BLOCK, 1);
        var foreign = written("gzip -c", content);
        var own = CompressionStreamTest.compressed(LOCAL, GZIP, content);
        for (var member : new byte[][] {foreign, own}) {
            for (var padding : new String[] {"\n", "\r\n", "\0", "\0".repeat(5000), "\0\0\n", "\n\n"}) {
                assertContent(GZIP, content, join(member, padding.getBytes()));
                assertContent(GZIP, join(content, content), join(member, padding.getBytes(), member));
            }
            for (var garbage : new String[] {"garbage", "\0\0garbage", "\n garbage that is longer", "\u001f"}) {
                var in = in(GZIP, join(member, garbage.getBytes()));
                assertArrayEquals(content, in.readNBytes(content.length));
                assertThrows(CompressionException.class, in::read);
                assertThrows(CompressionException.class, in::read);
            }
        }
        assertFails(CompressionError.CORRUPT, GZIP, new byte[16 << 10]);
        assertFails(CompressionError.CORRUPT, GZIP, join("\n".getBytes(), foreign));
        assertArrayEquals(new byte[0], in(GZIP, new byte[0]).readAllBytes());
    }

    @Test
    void the_checksum_of_a_gzip_header_is_verified() throws IOException {
        var member = written("gzip -n -c", Samples.mixed(100, 1));
        member[3] |= 2;
        var checksum = new java.util.zip.CRC32();
        checksum.update(member, 0, 10);
        var value = (int) checksum.getValue();
        var right = join(
                Arrays.copyOf(member, 10),
                new byte[] {(byte) value, (byte) (value >> 8)},
                Arrays.copyOfRange(member, 10, member.length));
        assertContent(GZIP, Samples.mixed(100, 1), right);
        right[10] ^= 1;
        assertFails(CompressionError.CORRUPT, GZIP, right);
    }
}
