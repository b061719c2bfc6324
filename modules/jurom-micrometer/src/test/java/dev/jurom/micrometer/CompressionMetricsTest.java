// SPDX-License-Identifier: Apache-2.0
package dev.jurom.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionConfiguration;
import dev.jurom.compress.CompressionMode;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Meters of a compression with a worker and of one without. */
class CompressionMetricsTest {

    private static final int BYTES = 1000;

    private static double value(MeterRegistry registry, String name, CompressionMode mode, String by) {
        return registry.get("jurom.compression." + name)
                .tags("mode", mode.name(), "processed.by", by)
                .functionCounter()
                .count();
    }

    @Test
    void the_meters_distinguish_workers_from_the_process() throws Exception {
        var registry = new SimpleMeterRegistry();
        for (var mode : List.of(CompressionMode.OFFLOAD, CompressionMode.LOCAL)) {
            try (var compression = Compression.open(
                    CompressionConfiguration.builder().mode(mode).build())) {
                new CompressionMetrics(compression, List.of(Tag.of("mode", mode.name()))).bindTo(registry);
                assertEquals(
                        mode == CompressionMode.OFFLOAD ? 1 : 0,
                        registry.get("jurom.compression.workers")
                                .tag("mode", mode.name())
                                .gauge()
                                .value());
                compression
                        .compress(MemorySegment.ofArray(new byte[BYTES]), MemorySegment.ofArray(new byte[2 * BYTES]))
                        .join();
            }
        }
        System.gc(); // only the registry references the binders now
        assertEquals(1, value(registry, "blocks", CompressionMode.OFFLOAD, "worker"));
        assertEquals(BYTES, value(registry, "bytes", CompressionMode.OFFLOAD, "worker"));
        assertEquals(0, value(registry, "blocks", CompressionMode.OFFLOAD, "process"));
        assertEquals(0, value(registry, "blocks", CompressionMode.LOCAL, "worker"));
        assertEquals(BYTES, value(registry, "bytes", CompressionMode.LOCAL, "process"));
        assertTimed(registry, CompressionMode.OFFLOAD, "worker", "process");
        assertTimed(registry, CompressionMode.LOCAL, "process", "worker");
    }

    private static void assertTimed(MeterRegistry registry, CompressionMode mode, String by, String notBy) {
        var timer = time(registry, mode, by);
        assertEquals(1, timer.count());
        assertTrue(timer.totalTime(TimeUnit.NANOSECONDS) > 0);
        assertEquals(0, time(registry, mode, notBy).count());
    }

    private static FunctionTimer time(MeterRegistry registry, CompressionMode mode, String by) {
        return registry.get("jurom.compression.time")
                .tags("mode", mode.name(), "processed.by", by)
                .functionTimer();
    }

    @Test
    void blocks_that_cost_less_in_the_process_are_counted_as_placed_there() throws Exception {
        var registry = new SimpleMeterRegistry();
        try (var compression = Compression.open(CompressionConfiguration.builder()
                .mode(CompressionMode.SAVE_CPU)
                .build())) {
            new CompressionMetrics(compression, List.of()).bindTo(registry);

            compression
                    .compress(MemorySegment.ofArray(new byte[BYTES]), MemorySegment.ofArray(new byte[2 * BYTES]))
                    .join();

            assertEquals(
                    1,
                    registry.get("jurom.compression.placed").functionCounter().count());
            assertEquals(
                    0,
                    registry.get("jurom.compression.fallbacks")
                            .functionCounter()
                            .count());
            assertEquals(0, registry.get("jurom.compression.in.flight").gauge().value());
        }
    }
}
