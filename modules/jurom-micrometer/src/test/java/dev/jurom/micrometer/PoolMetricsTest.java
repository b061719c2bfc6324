// SPDX-License-Identifier: Apache-2.0
package dev.jurom.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.PoolConfiguration;
import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.fixture.EmbeddedWorkers;
import dev.jurom.fixture.Waiting;
import dev.jurom.plugin.graph.GraphPlugin;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Meters of the workers of a pool. */
class PoolMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private double gauge(String name, int worker) {
        return registry.get("jurom.pool." + name)
                .tags("pool", "first", "worker", Integer.toString(worker))
                .gauge()
                .value();
    }

    private double counter(String name, int worker) {
        return registry.get("jurom.pool." + name)
                .tags("pool", "first", "worker", Integer.toString(worker))
                .functionCounter()
                .count();
    }

    @Test
    void the_meters_distinguish_the_workers() throws InterruptedException {
        try (var urom = Urom.open()) {
            var pool = urom.startPool(PoolConfiguration.builder(WorkerConfiguration.of(GraphPlugin.NAME))
                    .workers(2)
                    .build());
            new PoolMetrics(pool, List.of(Tag.of("pool", "first"))).bindTo(registry);
            System.gc(); // only the registry references the binder now
            EmbeddedWorkers.signal("STOP");
            for (var i = 0L; i < 3; i++) {
                pool.submit(GraphPlugin.LOOPBACK, i);
            }
            assertEquals(List.of(2.0, 1.0), List.of(gauge("commands.in.flight", 0), gauge("commands.in.flight", 1)));
            EmbeddedWorkers.signal("CONT");
            Waiting.until("the commands are answered", () -> gauge("commands.in.flight", 0) == 0);

            EmbeddedWorkers.kill();
            Waiting.until("both are replaced", () -> counter("starts", 0) == 2 && counter("starts", 1) == 2);
        }
        for (var worker = 0; worker < 2; worker++) {
            assertEquals(0, gauge("workers", worker));
            assertEquals(1, counter("exits", worker));
            assertEquals(0, counter("starts.failed", worker));
            assertEquals(0, counter("busy.replacements", worker));
        }
        assertEquals(0, registry.get("jurom.pool.repetitions").functionCounter().count());
    }
}
