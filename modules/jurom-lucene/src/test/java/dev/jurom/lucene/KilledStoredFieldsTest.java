// SPDX-License-Identifier: Apache-2.0
package dev.jurom.lucene;

import dev.jurom.compress.CompressionException;
import dev.jurom.compress.CompressionMode;
import dev.jurom.fixture.EmbeddedWorkers;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.AfterClass;
import org.junit.BeforeClass;

/** Lucene's own tests of stored fields, while the workers are killed each second: with -Djurom.long=true only. */
public class KilledStoredFieldsTest extends StoredFieldsConformance {

    private static CountDownLatch end;
    private static Thread killer;

    @BeforeClass
    public static void openCompression() throws CompressionException {
        assumeTrue("-Djurom.long=true is not set", Boolean.getBoolean("jurom.long"));
        open(CompressionMode.SAVE_CPU);
        var ended = new CountDownLatch(1);
        end = ended;
        killer = Thread.ofPlatform().daemon().start(() -> {
            try {
                while (!ended.await(1, TimeUnit.SECONDS)) {
                    EmbeddedWorkers.kill();
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    @AfterClass
    public static void requireBoth() throws InterruptedException {
        if (killer != null) {
            end.countDown();
            killer.join();
            end = null;
            killer = null;
            var counters = compression().counters();
            assertTrue(counters.toString(), counters.fallbacks() > 0 && counters.offloadedBlocks() > 0);
            assertEquals(0, counters.failures());
        }
    }
}
