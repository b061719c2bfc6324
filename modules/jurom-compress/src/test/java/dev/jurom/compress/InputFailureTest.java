// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests input streams whose source fails, blocks, times out, returns wrong or small numbers, or ends, at each position.
 */
class InputFailureTest {

    private static final int BLOCK = 1 << 10;
    private static final int FRAMES = 6;
    private static final Compression LOCAL = Samples.local(BLOCK);
    private static final Map<CompressionFormat, Sample> SAMPLES = new EnumMap<>(CompressionFormat.class);

    static {
        for (var format : List.of(CompressionFormat.ZSTD, CompressionFormat.LZ4, CompressionFormat.GZIP)) {
            SAMPLES.put(format, new Sample(format));
        }
    }

    /** Frames of this library, of other programs, and to skip, with the content that each position makes complete. */
    private static final class Sample {

        final CompressionFormat format;
        final ByteArrayOutputStream frames = new ByteArrayOutputStream();
        final ByteArrayOutputStream content = new ByteArrayOutputStream();
        final List<int[]> ends = new ArrayList<>(); // of frames, with the content before them

        Sample(CompressionFormat format) {
            this.format = format;
            end();
            try {
                for (var frame = 0; frame < FRAMES; frame++) {
                    add(frame);
                }
            } catch (IOException e) {
                throw new AssertionError(e); // memory only
            }
        }

        private void add(int number) throws IOException {
            var bytes = Samples.mixed(number == 4 ? 0 : 500 + number, number);
            if (number % 2 == 0) {
                try (var out = new OffloadOutputStream(LOCAL, CompressionParameters.of(format), frames)) {
                    out.write(bytes);
                }
            } else {
                try (var out = library(frames)) {
                    out.write(bytes);
                }
            }
            content.write(bytes);
            end();
            if (number % 3 == 1 && format != CompressionFormat.GZIP) {
                frames.write(new byte[] {0x53, 0x2A, 0x4D, 0x18, 40, 0, 0, 0});
                frames.write(new byte[40]);
                end();
            } else if (number % 3 == 1) {
                for (var zero = 0; zero < 10; zero++) {
                    frames.write(0);
                    end();
                }
            }
        }

        private OutputStream library(OutputStream out) throws IOException {
            return switch (format) {
                case ZSTD -> new ZstdOutputStream(out).setChecksum(true);
                case LZ4 -> new LZ4FrameOutputStream(out, LZ4FrameOutputStream.BLOCKSIZE.SIZE_64KB);
                default -> new GZIPOutputStream(out);
            };
        }

        private void end() {
            ends.add(new int[] {frames.size(), content.size()});
        }

        /** Returns the length of the content of the frames that end at a position or before. */
        int completeAt(int position) {
            return ends.stream()
                    .filter(end -> end[0] <= position)
                    .mapToInt(end -> end[1])
                    .max()
                    .orElseThrow();
        }

        boolean isEnd(int position) {
            return ends.stream().anyMatch(end -> end[0] == position);
        }

        OffloadInputStream over(InputStream source) {
            return new OffloadInputStream(LOCAL, CompressionParameters.of(format), source);
        }
    }

    /** The answer of a source to {@link InputStream#available()}. */
    private enum Available {
        TRUTH,
        NOTHING,
        ONE
    }

    /** Returns few bytes at a time, and throws when a read exceeds a number of bytes. */
    private static final class Source extends InputStream {

        private final byte[] bytes;
        private final int limit;
        private final int part;
        private final Available available;
        private final Supplier<? extends Throwable> failures;
        private int position;
        Throwable failure;

        Source(byte[] bytes, int limit, int part, Available available, Supplier<? extends Throwable> failures) {
            this.bytes = bytes;
            this.limit = limit;
            this.part = part;
            this.available = available;
            this.failures = failures;
        }

        @Override
        public int read() throws IOException {
            if (position == limit) {
                failure = failures.get();
                InputFailureTest.<IOException>raise(failure);
            }
            return Byte.toUnsignedInt(bytes[position++]);
        }

        /** With parts of 0 bytes as by default: blocks until all bytes are there. */
        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            var count = part == 0 ? length : Math.min(part, length);
            if (part != 0 && position < limit) {
                count = Math.min(count, limit - position);
            }
            for (var i = 0; i < count; i++) {
                to[offset + i] = (byte) read();
            }
            return count;
        }

        @Override
        public int available() {
            return switch (available) {
                case TRUTH -> limit - position;
                case NOTHING -> 0;
                case ONE -> 1;
            };
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void raise(Throwable failure) throws E {
        throw (E) failure;
    }

    @Provide
    static Arbitrary<Sample> samples() {
        return Arbitraries.of(SAMPLES.values());
    }

    @Provide
    static Arbitrary<Supplier<Throwable>> failures() {
        return Arbitraries.of(
                () -> new IOException("connection reset"),
                () -> new EOFException("of the source"),
                () -> new IllegalStateException("of the source"),
                () -> new StackOverflowError("of the source"),
                () -> {
                    var lossy = new InterruptedIOException("of the source");
                    lossy.bytesTransferred = 1;
                    return lossy;
                });
    }

    /**
     * The stream reads more only when it has returned all content of complete frames, because the source could block.
     */
    @ParameterizedTest
    @EnumSource(
            value = CompressionFormat.class,
            names = {"ZSTD", "LZ4", "GZIP"})
    void a_source_that_blocks_or_fails_at_any_position_delays_no_complete_frame(CompressionFormat format)
            throws IOException {
        var sample = SAMPLES.get(format);
        for (var limit = 0; limit <= sample.frames.size(); limit++) {
            for (var available : Available.values()) {
                var source = new Source(
                        sample.frames.toByteArray(),
                        limit,
                        format == CompressionFormat.GZIP ? 7 : limit % 3,
                        available,
                        () -> new IOException("blocks here"));
                var in = sample.over(source);
                var complete = sample.completeAt(limit);
                for (var at = 0; at < complete; at++) {
                    assertEquals(Byte.toUnsignedInt(sample.content.toByteArray()[at]), in.read());
                    assertEquals(null, source.failure, limit + " bytes, " + available + ", content at " + at);
                }
            }
        }
    }

    @Property(tries = 2000)
    void a_failure_of_the_source_has_its_place_and_is_repeated(
            @ForAll("samples") Sample sample,
            @ForAll("failures") Supplier<Throwable> failures,
            @ForAll Available available,
            @ForAll Random random)
            throws IOException {
        var limit = random.nextInt(sample.frames.size());
        var source = new Source(sample.frames.toByteArray(), limit, 1 + random.nextInt(300), available, failures);
        var in = sample.over(source);
        var content = new ByteArrayOutputStream();
        var first = assertThrows(Throwable.class, () -> readInParts(in, content, random));
        assertSame(source.failure, first);
        assertTrue(content.size() >= sample.completeAt(limit));
        assertArrayEquals(Arrays.copyOf(sample.content.toByteArray(), content.size()), content.toByteArray());
        assertEquals(content.size(), in.position());
        for (var attempt = 0; attempt < 3; attempt++) {
            var again = assertThrows(IOException.class, in::read);
            assertNotSame(first, again);
            assertSame(first, again.getCause());
            assertEquals(content.size(), in.position());
        }
        in.close();
    }

    private static void readInParts(InputStream in, ByteArrayOutputStream content, Random random) throws IOException {
        var buffer = new byte[700];
        int read;
        do {
            read = in.read(buffer, 0, 1 + random.nextInt(buffer.length));
            content.write(buffer, 0, Math.max(read, 0));
        } while (read >= 0);
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionFormat.class,
            names = {"ZSTD", "LZ4", "GZIP"})
    void a_stream_that_is_cut_within_a_frame_is_truncated(CompressionFormat format) throws IOException {
        var sample = SAMPLES.get(format);
        for (var cut = 0; cut <= sample.frames.size(); cut++) {
            var in = sample.over(new ByteArrayInputStream(sample.frames.toByteArray(), 0, cut));
            var content = new ByteArrayOutputStream();
            if (sample.isEnd(cut)) {
                content.write(in.readAllBytes());
                assertEquals(-1, in.read());
                assertEquals(sample.completeAt(cut), content.size());
            } else {
                for (var attempt = 0; attempt < 3; attempt++) {
                    var failure = assertThrows(
                            CompressionException.class, () -> readInParts(in, content, new Random(1)), "cut at " + cut);
                    assertEquals(CompressionError.TRUNCATED, failure.error(), "cut at " + cut);
                    assertEquals(content.size(), failure.offset());
                }
                assertTrue(content.size() >= sample.completeAt(cut));
            }
            assertArrayEquals(Arrays.copyOf(sample.content.toByteArray(), content.size()), content.toByteArray());
        }
    }

    /** Returns a random number of bytes at a time: none, in spite of the contract, or a time-out instead. */
    private static final class Unsteady extends InputStream {

        private final byte[] bytes;
        private final Available available;
        private final boolean timesOut;
        private final Random random;
        private int position;

        Unsteady(byte[] bytes, Available available, boolean timesOut, Random random) {
            this.bytes = bytes;
            this.available = available;
            this.timesOut = timesOut;
            this.random = random;
        }

        @Override
        public int read() {
            return position == bytes.length ? -1 : Byte.toUnsignedInt(bytes[position++]);
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            if (timesOut && random.nextInt(3) == 0) {
                throw new SocketTimeoutException("read timed out");
            }
            if (position == bytes.length) {
                return -1;
            }
            var count = Math.min(bytes.length - position, random.nextInt(Math.min(length, 90) + 1));
            System.arraycopy(bytes, position, to, offset, count);
            position += count;
            return count;
        }

        @Override
        public int available() {
            return switch (available) {
                case TRUTH -> bytes.length - position;
                case NOTHING -> 0;
                case ONE -> 1;
            };
        }
    }

    @Property(tries = 1000)
    void time_outs_that_lose_no_byte_can_be_repeated_and_each_split_into_reads_has_the_same_content(
            @ForAll("samples") Sample sample,
            @ForAll Available available,
            @ForAll boolean timesOut,
            @ForAll Random random)
            throws IOException {
        var in = sample.over(new Unsteady(sample.frames.toByteArray(), available, timesOut, random));
        var content = new ByteArrayOutputStream();
        var done = false;
        while (!done) {
            try {
                readInParts(in, content, random);
                done = true;
            } catch (SocketTimeoutException e) {
                assertTrue(timesOut);
                assertEquals(content.size(), in.position());
            }
        }
        assertArrayEquals(sample.content.toByteArray(), content.toByteArray());
    }

    @Test
    void a_source_that_returns_impossible_lengths_fails() {
        for (var sample : SAMPLES.values()) {
            for (var lie : new int[] {1 << 20, Integer.MAX_VALUE, -2, Integer.MIN_VALUE}) {
                var in = sample.over(new ByteArrayInputStream(sample.frames.toByteArray()) {
                    @Override
                    public int read(byte[] to, int offset, int length) {
                        return lie;
                    }
                });
                var failure = assertThrows(IOException.class, in::read);
                assertTrue(failure.getMessage().contains("returned " + lie), failure::getMessage);
                assertThrows(IOException.class, in::read);
            }
        }
    }

    @Test
    void a_source_that_throws_the_same_exception_again_does_not_hide_it() {
        var same = new IOException("connection reset");
        var source = new InputStream() {

            @Override
            public int read() throws IOException {
                throw same;
            }

            @Override
            public void close() throws IOException {
                throw same;
            }
        };
        var failure = assertThrows(IOException.class, () -> {
            try (var in = LOCAL.inputStream(source)) {
                in.read();
            }
        });
        assertSame(same, failure);
        assertFalse(Arrays.asList(failure.getSuppressed()).contains(same));
    }
}
