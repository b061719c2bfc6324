// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.fixture.EmbeddedWorkers;
import dev.jurom.fixture.Waiting;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Compressions that share workers, as those of several processes do. */
class SharedWorkersTest {

    private static final int WORKERS = 2;

    private static Compression open() throws CompressionException {
        return Compression.open(CompressionConfiguration.builder()
                .mode(CompressionMode.OFFLOAD)
                .workers(WORKERS)
                .sharedWorkers(1L << 40)
                .build());
    }

    private static void assertWorks(Compression compression) throws IOException {
        var content = Samples.mixed(1 << 20, 1);
        var parameters = compression.configuration().parameters();
        var frames = CompressionStreamTest.compressed(compression, parameters, content);
        assertArrayEquals(content, CompressionStreamTest.decompressed(compression, parameters, frames));
    }

    @Test
    void compressions_with_the_same_ids_share_workers_and_replace_them_once() throws IOException {
        try (var one = open()) {
            try (var other = open()) {
                assertEquals(WORKERS, EmbeddedWorkers.list().size());
                assertWorks(one);
                assertWorks(other);

                EmbeddedWorkers.kill();
                for (var compression : new Compression[] {one, other}) {
                    Waiting.until(
                            "new workers run",
                            () -> compression.counters().workersStarted() == 2 * WORKERS
                                    && compression.counters().workers() == WORKERS);
                }
                assertEquals(WORKERS, EmbeddedWorkers.list().size());
                assertWorks(other);
            }
            assertWorks(one);
        }
    }
}
