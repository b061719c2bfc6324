// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.EmbeddedWorkers;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.EmbeddedService;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers and services that fail while streams are processed. */
class CompressionFaultTest {

    private static final int BLOCK = 64 << 10;
    private static final int BLOCKS = 300;

    @TempDir
    Path folder;

    private static CompressionConfiguration.Builder configuration(CompressionMode mode) {
        return CompressionConfiguration.builder().mode(mode).blockSize(BLOCK);
    }

    @Test
    void a_stream_survives_the_kill_of_its_workers() throws IOException {
        var content = Samples.mixed(BLOCKS * BLOCK, 1);
        var frames = new ByteArrayOutputStream();
        var recorded = folder.resolve("recorded.jfr");
        try (var recording = new Recording();
                var compression = Compression.open(
                        configuration(CompressionMode.SAVE_CPU).workers(2).build())) {
            recording.enable("dev.jurom.CompressionFallback");
            recording.start();
            try (var out = compression.outputStream(frames)) {
                for (var block = 0; block < BLOCKS; block++) {
                    out.write(content, block * BLOCK, BLOCK);
                    if (block % 100 == 50) {
                        EmbeddedWorkers.kill();
                    }
                }
            }
            recording.stop();
            recording.dump(recorded);

            var counters = compression.counters();
            assertEquals(BLOCKS, counters.offloadedBlocks() + counters.localBlocks());
            assertEquals(counters.localBlocks(), counters.fallbacks() + counters.placedBlocks());
            assertTrue(counters.fallbacks() > 0 && counters.offloadedBlocks() > 0, counters::toString);
            assertEquals(0, counters.failures());
            var events = RecordingFile.readAllEvents(recorded);
            assertEquals(counters.fallbacks(), events.size());
            assertEquals(BLOCK, events.getFirst().getLong("bytes"));

            Waiting.until("the workers run again", () -> compression.counters().workers() == 2);
            var before = compression.counters().offloadedBlocks();
            assertArrayEquals(
                    content,
                    CompressionStreamTest.decompressed(
                            compression, compression.configuration().parameters(), frames.toByteArray()));
            CompressionStreamTest.compressed(
                    compression, compression.configuration().parameters(), content);
            assertTrue(compression.counters().offloadedBlocks() > before);
        }
    }

    @Test
    void a_stream_is_read_while_its_worker_is_killed() throws IOException {
        var content = Samples.mixed(BLOCKS * BLOCK, 2);
        try (var compression = Compression.open(configuration(CompressionMode.SAVE_CPU)
                .parameters(CompressionParameters.of(CompressionFormat.GZIP).withLevel(1)) // workers decompress it
                .build())) {
            var frames = CompressionStreamTest.compressed(
                    compression, compression.configuration().parameters(), content);
            try (var in = compression.inputStream(new ByteArrayInputStream(frames))) {
                assertArrayEquals(java.util.Arrays.copyOf(content, 100 * BLOCK), in.readNBytes(100 * BLOCK));
                EmbeddedWorkers.kill();
                assertArrayEquals(
                        java.util.Arrays.copyOfRange(content, 100 * BLOCK, content.length), in.readAllBytes());
            }
            assertTrue(compression.counters().fallbacks() > 0);
        }
    }

    @Test
    void the_buffer_of_a_cancelled_block_does_not_change() throws CompressionException {
        var content = MemorySegment.ofArray(Samples.mixed(4 * BLOCK, 3));
        try (var compression = Compression.open(
                configuration(CompressionMode.OFFLOAD).blockSize(4 * BLOCK).build())) {
            var buffer = new byte[(int) compression.maxCompressedSize(4 * BLOCK)];
            var slow = compression.configuration().parameters().withLevel(19);

            var cancelled = compression.compress(slow, content, MemorySegment.ofArray(buffer));
            assertTrue(cancelled.cancel(false));
            compression
                    .compress(content, MemorySegment.ofArray(new byte[buffer.length]))
                    .join(); // after the other

            assertArrayEquals(new byte[buffer.length], buffer);
        }
    }

    @Test
    void without_fallback_the_failure_names_the_exit_of_the_worker() throws IOException {
        try (var compression =
                Compression.open(configuration(CompressionMode.OFFLOAD).build())) {
            var out = compression.outputStream(new ByteArrayOutputStream());
            out.write(Samples.mixed(2 * BLOCK, 1));
            out.flush();
            EmbeddedWorkers.kill();
            var failure = assertThrows(CompressionException.class, () -> {
                for (var block = 0; block < 100; block++) {
                    out.write(Samples.mixed(BLOCK, 1));
                    out.flush();
                }
            });
            assertTrue(
                    failure.error() == CompressionError.WORKER_FAILED || failure.error() == CompressionError.NO_WORKER,
                    failure::toString);
            assertTrue(failure.getMessage().contains("SIGKILL"), failure::getMessage);
            assertEquals(2 * BLOCK, failure.offset());
            assertThrows(CompressionException.class, () -> out.write(1));
            assertThrows(CompressionException.class, out::close);

            Waiting.until("a worker runs again", () -> compression.counters().workers() == 1);
            var content = Samples.mixed(BLOCK, 3);
            var parameters = compression.configuration().parameters();
            assertArrayEquals(
                    content,
                    CompressionStreamTest.decompressed(
                            compression,
                            parameters,
                            CompressionStreamTest.compressed(compression, parameters, content)));
        }
    }

    @Test
    void the_workers_return_when_another_service_is_opened() throws IOException {
        var content = Samples.mixed(10 * BLOCK, 4);
        var service = EmbeddedService.open(usual -> usual.toBuilder()
                .maxMessageSize(configuration(CompressionMode.SAVE_CPU).build().maxMessageSize())
                .build());
        try (var compression =
                Compression.open(configuration(CompressionMode.SAVE_CPU).build())) {
            var parameters = compression.configuration().parameters();
            assertEquals(1, compression.counters().workers());
            service.close();
            assertArrayEquals(
                    content,
                    CompressionStreamTest.decompressed(
                            compression,
                            parameters,
                            CompressionStreamTest.compressed(compression, parameters, content)));
            Waiting.until(
                    "a worker of another service runs",
                    () -> compression.counters().workers() == 1);
            var before = compression.counters().offloadedBlocks();
            CompressionStreamTest.compressed(compression, parameters, content);
            assertTrue(compression.counters().offloadedBlocks() > before);
        } finally {
            service.close();
        }
    }

    @Test
    void blocks_of_a_worker_that_does_not_answer_are_processed_in_this_process() throws IOException {
        var content = Samples.mixed(10 * BLOCK, 5);
        try (var compression = Compression.open(configuration(CompressionMode.SAVE_CPU)
                .timeout(Duration.ofSeconds(1))
                .build())) {
            var parameters = compression.configuration().parameters();
            EmbeddedWorkers.signal("STOP");
            var frames = CompressionStreamTest.compressed(compression, parameters, content);
            assertTrue(compression.counters().fallbacks() > 0);
            EmbeddedWorkers.signal("CONT");
            Waiting.until("a worker runs again", () -> compression.counters().workers() == 1);
            assertArrayEquals(content, CompressionStreamTest.decompressed(compression, parameters, frames));
        }
    }

    @Test
    void blocks_shrink_to_the_messages_of_a_service_with_small_ones() throws IOException {
        var content = Samples.mixed(10 * BLOCK, 6);
        try (var service = EmbeddedService.open();
                var compression = Compression.open()) {
            assertTrue(compression.blockSize() < 4096, () -> "" + compression.blockSize());
            var parameters = compression.configuration().parameters();
            var frames = CompressionStreamTest.compressed(compression, parameters, content);
            assertArrayEquals(content, CompressionStreamTest.decompressed(compression, parameters, frames));
            assertEquals(0, compression.counters().fallbacks());
            var failure = assertThrows(
                    CompressionException.class,
                    () -> Compression.open(
                            configuration(CompressionMode.OFFLOAD).build()));
            assertEquals(CompressionError.BLOCK_TOO_LARGE, failure.error());
            assertTrue(Files.exists(service.serviceFile()));
        }
    }
}
