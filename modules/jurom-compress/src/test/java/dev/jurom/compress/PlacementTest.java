// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.EmbeddedWorkers;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The places where blocks are processed, with real workers. */
@Timeout(120)
class PlacementTest {

    private static final int BLOCK = 256 << 10;
    private static final CompressionParameters ZSTD = CompressionParameters.of(CompressionFormat.ZSTD);

    private static CompressionConfiguration.Builder configuration(CompressionMode mode) {
        return CompressionConfiguration.builder().mode(mode).blockSize(BLOCK);
    }

    private static byte[] roundTrip(Compression compression, CompressionParameters parameters, byte[] content)
            throws IOException {
        var frames = CompressionStreamTest.compressed(compression, parameters, content);
        return CompressionStreamTest.decompressed(compression, parameters, frames);
    }

    @Test
    void this_process_shares_the_blocks_of_a_stream_with_a_busy_worker() throws IOException {
        var content = Samples.mixed(40 * BLOCK, 1);
        try (var compression =
                Compression.open(configuration(CompressionMode.AUTO).build())) {
            assertArrayEquals(content, roundTrip(compression, ZSTD.withLevel(9), content));

            var counters = compression.counters();
            assertTrue(counters.offloadedBlocks() > 0, counters::toString);
            assertEquals(80, counters.offloadedBlocks() + counters.placedBlocks());
            assertTrue(counters.placedBlocks() >= 40, counters::toString); // all decompressed blocks
            assertEquals(counters.localBlocks(), counters.placedBlocks());
            assertEquals(0, counters.fallbacks());
        }
    }

    @Test
    void small_blocks_and_frames_stay_in_the_process() throws IOException {
        for (var mode : new CompressionMode[] {CompressionMode.AUTO, CompressionMode.SAVE_CPU}) {
            try (var compression = Compression.open(configuration(mode).build())) {
                var content = Samples.mixed(2 << 10, 2);
                for (var stream = 0; stream < 100; stream++) {
                    assertArrayEquals(content, roundTrip(compression, ZSTD, content));
                }

                var counters = compression.counters();
                assertTrue(counters.placedBlocks() > 150, counters::toString); // all but probes
                assertEquals(0, counters.fallbacks());
            }
        }
    }

    @Test
    void a_future_of_a_large_block_does_not_use_the_thread_of_the_caller() throws IOException {
        try (var compression =
                Compression.open(configuration(CompressionMode.AUTO).build())) {
            var content = MemorySegment.ofArray(Samples.mixed(BLOCK, 3));
            var frame = MemorySegment.ofArray(new byte[(int) compression.maxCompressedSize(BLOCK)]);
            for (var block = 0; block < 20; block++) {
                compression.compress(ZSTD.withLevel(9), content, frame).join();
            }

            assertEquals(20, compression.counters().offloadedBlocks());
        }
    }

    @Test
    void a_stream_compresses_its_blocks_if_the_worker_does_not_answer() throws IOException {
        var content = Samples.mixed(40 * BLOCK, 4);
        try (var compression = Compression.open(configuration(CompressionMode.AUTO)
                .timeout(Duration.ofSeconds(1))
                .build())) {
            EmbeddedWorkers.signal("STOP");
            while (compression.counters().fallbacks() == 0) {
                assertArrayEquals(content, roundTrip(compression, ZSTD.withLevel(9), content));
            }
            EmbeddedWorkers.signal("CONT");

            var counters = compression.counters();
            assertTrue(counters.fallbacks() < 30, counters::toString); // of 40 blocks to compress
            assertEquals(0, counters.failures());
        }
    }

    @Test
    void without_workers_only_blocks_for_workers_are_fallbacks() throws IOException {
        try (var compression =
                Compression.open(configuration(CompressionMode.SAVE_CPU).build())) {
            EmbeddedWorkers.kill();
            var small = Samples.mixed(2 << 10, 5);
            assertArrayEquals(small, roundTrip(compression, ZSTD, small));
            assertEquals(0, compression.counters().fallbacks());
            assertEquals(2, compression.counters().placedBlocks());
        }
    }
}
