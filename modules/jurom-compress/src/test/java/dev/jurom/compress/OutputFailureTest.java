// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.EmbeddedWorkers;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Tests output streams whose destination fails, whose thread is interrupted, or that are used after their end. */
class OutputFailureTest {

    private static final int BLOCK = 1 << 10;

    /** Has no workers and no threads, and is not closed: the two engines of tests share it. */
    private static final Compression LOCAL = Samples.local(BLOCK);

    /** Fails once, when it has accepted a number of bytes, and accepts everything later. */
    private static final class FailingOnce extends OutputStream {

        final ByteArrayOutputStream accepted = new ByteArrayOutputStream();
        private final int limit;
        private final Supplier<Throwable> failures;
        Throwable failure;
        int acceptedAfterFailure;
        int closes;

        FailingOnce(int limit, Supplier<Throwable> failures) {
            this.limit = limit;
            this.failures = failures;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (failure == null && accepted.size() + length > limit) {
                accepted.write(bytes, offset, limit - accepted.size());
                failure = failures.get();
                OutputFailureTest.<IOException>raise(failure);
            }
            acceptedAfterFailure += failure == null ? 0 : length;
            accepted.write(bytes, offset, length);
        }

        @Override
        public void close() {
            closes++;
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void raise(Throwable failure) throws E {
        throw (E) failure;
    }

    @Provide
    static Arbitrary<Supplier<Throwable>> failures() {
        return Arbitraries.of(
                () -> new IOException("no space left on device"),
                () -> new InterruptedIOException("of the destination"),
                () -> new IllegalStateException("of the destination"),
                () -> new OutOfMemoryError("of the destination"));
    }

    private enum Call {
        WRITE,
        WRITE_BYTE,
        FLUSH,
        FINISH,
        CLOSE
    }

    private static void make(Call call, OffloadOutputStream out) throws IOException {
        switch (call) {
            case WRITE -> out.write(Samples.mixed(2 * BLOCK, 1));
            case WRITE_BYTE -> out.write(1);
            case FLUSH -> out.flush();
            case FINISH -> out.finish();
            case CLOSE -> out.close();
        }
    }

    @Property(tries = 500)
    void after_a_failure_of_the_destination_each_call_fails_and_nothing_is_written(
            @ForAll CompressionFormat format,
            @ForAll @IntRange(max = 4 * BLOCK) int limit,
            @ForAll("failures") Supplier<Throwable> failures,
            @ForAll @Size(min = 1, max = 6) List<Call> later)
            throws IOException {
        if (!format.concatenates()) {
            return;
        }
        var destination = new FailingOnce(limit, failures);
        var out = new OffloadOutputStream(LOCAL, CompressionParameters.of(format), destination);
        var first = assertThrows(Throwable.class, () -> {
            for (var block = 0; block < 20; block++) {
                out.write(Samples.random(BLOCK, block));
                out.flush();
            }
        });
        assertSame(destination.failure, first);
        for (var call : later) {
            if (call == Call.CLOSE && destination.closes > 0) {
                continue;
            }
            var again = assertThrows(IOException.class, () -> make(call, out), call::name);
            assertNotSame(first, again);
            assertSame(first, again.getCause());
        }
        if (destination.closes == 0) {
            assertThrows(IOException.class, out::close);
        }
        assertEquals(1, destination.closes);
        assertEquals(0, destination.acceptedAfterFailure);
    }

    @Test
    void a_failure_at_each_position_is_not_lost_by_closing() throws IOException {
        var whole = CompressionStreamTest.compressed(
                LOCAL, LOCAL.configuration().parameters(), Samples.random(4 * BLOCK, 1));
        for (var limit = 0; limit < whole.length; limit++) {
            var destination = new FailingOnce(limit, () -> new IOException("no space left on device"));
            var out = LOCAL.outputStream(destination);
            try {
                out.write(Samples.random(4 * BLOCK, 1));
            } catch (IOException e) {
                assertSame(destination.failure, e);
            }
            var failure = assertThrows(IOException.class, out::close);
            assertTrue(failure == destination.failure || failure.getCause() == destination.failure);
            assertEquals(limit, destination.accepted.size());
        }
    }

    @Test
    void a_destination_that_throws_the_same_exception_again_does_not_hide_it() {
        var same = new IOException("no space left on device");
        var destination = new OutputStream() {

            @Override
            public void write(int value) throws IOException {
                throw same;
            }

            @Override
            public void close() throws IOException {
                throw same;
            }
        };
        var failure = assertThrows(IOException.class, () -> {
            try (var out = LOCAL.outputStream(destination)) {
                out.write(1);
            }
        });
        assertSame(same, failure);
        var later = assertThrows(IOException.class, () -> {
            try (var out = LOCAL.outputStream(destination)) {
                out.write(Samples.random(9 * BLOCK, 1));
            }
        });
        assertSame(same, later);
    }

    @Test
    void a_failing_block_is_the_cause_of_each_later_failure() throws IOException {
        var destination = new ByteArrayOutputStream();
        var parameters = CompressionParameters.of(CompressionFormat.LZ4).withLevel(99);
        var out = new OffloadOutputStream(LOCAL, parameters, destination);
        out.write(1);
        var first = assertThrows(CompressionException.class, out::flush);
        for (var call : Call.values()) {
            var again = assertThrows(CompressionException.class, () -> make(call, out), call::name);
            assertEquals(CompressionError.INVALID_LEVEL, again.error());
            assertSame(first, again.getCause());
        }
        assertEquals(0, destination.size());
    }

    @Test
    void a_finished_stream_is_flushed_and_closed_by_its_wrapper() throws IOException {
        var destination = new ByteArrayOutputStream();
        var out = LOCAL.outputStream(destination);
        var wrapper = new BufferedOutputStream(out);
        wrapper.write(Samples.mixed(3 * BLOCK, 1));
        wrapper.flush();
        out.finish();
        out.flush();
        assertThrows(IOException.class, () -> out.write(1));
        wrapper.close();
        wrapper.flush();
        out.flush();
        try (var in = LOCAL.inputStream(new ByteArrayInputStream(destination.toByteArray()))) {
            assertArrayEquals(Samples.mixed(3 * BLOCK, 1), in.readAllBytes());
        }
    }

    /** A stopped worker keeps the blocks in flight until they time out. */
    @Test
    void an_interrupted_stream_accepts_each_byte_once_and_is_complete_when_it_is_closed() throws IOException {
        var content = Samples.mixed(40 * BLOCK, 1);
        var frames = new ByteArrayOutputStream();
        try (var compression = Compression.open(CompressionConfiguration.builder()
                .mode(CompressionMode.OFFLOAD)
                .blockSize(BLOCK)
                .build())) {
            var out = compression.outputStream(frames);
            EmbeddedWorkers.signal("STOP");
            var accepted = 0;
            var interrupted = 0;
            while (interrupted < 4) { // two of the calls write single bytes
                Thread.currentThread().interrupt();
                try {
                    if (interrupted % 2 == 0) {
                        out.write(content, accepted, 3 * BLOCK / 2);
                        accepted += 3 * BLOCK / 2;
                    } else {
                        out.write(content[accepted]);
                        accepted++;
                    }
                } catch (InterruptedIOException e) {
                    accepted += e.bytesTransferred;
                    interrupted++;
                }
                assertTrue(Thread.interrupted());
                assertEquals(accepted, out.position());
            }
            Thread.currentThread().interrupt();
            assertInstanceOf(InterruptedIOException.class, assertThrows(IOException.class, out::flush));
            assertTrue(Thread.interrupted());
            EmbeddedWorkers.signal("CONT");
            out.write(content, accepted, content.length - accepted - BLOCK / 2);
            out.write(content, content.length - BLOCK / 2, BLOCK / 2);

            Thread.currentThread().interrupt();
            out.close();
            assertTrue(Thread.interrupted());
            assertArrayEquals(
                    content,
                    CompressionStreamTest.decompressed(
                            LOCAL, compression.configuration().parameters(), frames.toByteArray()));
        }
    }

    @Test
    void blocks_have_the_size_that_is_configured() throws IOException {
        var content = Samples.mixed(10 * BLOCK, 1);
        for (var part : new int[] {1, 7, BLOCK - 1, BLOCK, BLOCK + 1, 10 * BLOCK}) {
            var frames = new ByteArrayOutputStream();
            try (var out = LOCAL.outputStream(frames)) {
                for (var at = 0; at < content.length; at += part) {
                    if (part == 1) {
                        out.write(content[at]);
                    } else {
                        out.write(content, at, Math.min(part, content.length - at));
                    }
                }
            }
            var whole = CompressionStreamTest.compressed(
                    LOCAL, LOCAL.configuration().parameters(), content);
            assertTrue(Arrays.equals(whole, frames.toByteArray()), () -> "parts of " + part + " bytes");
        }
    }
}
