// SPDX-License-Identifier: Apache-2.0
package dev.jurom.micrometer;

import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.Waiting;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the meters with a service that is embedded in this process. */
class UromMetricsTest {

    private static final int COMMANDS = 300;

    private static double counter(MeterRegistry registry, String name) {
        return registry.get(name).functionCounter().count();
    }

    @Test
    void the_meters_have_the_counters_of_the_host() throws Exception {
        var registry = new SimpleMeterRegistry();
        try (var urom = Urom.open()) {
            new UromMetrics(urom, List.of(Tag.of("service", "first"))).bindTo(registry);
            try (var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
                for (var i = 0L; i < COMMANDS; i++) {
                    worker.call(LOOPBACK, i);
                }
                var unknown = Offload.<Integer, Long>of(
                        GraphPlugin.NAME, GraphPlugin.VERSION, (length, payload) -> length, GraphCodec::loopbackData);
                assertThrows(DocaException.class, () -> worker.call(unknown, 3));
            }
        }

        System.gc(); // only the registry references the binder now
        // Counters that were read less than 100 ms ago are returned again.
        Waiting.until(
                "the meters count all commands", () -> counter(registry, "jurom.commands.submitted") == COMMANDS + 1);
        assertEquals(COMMANDS + 1, counter(registry, "jurom.commands.completed"));
        assertEquals(1, counter(registry, "jurom.commands.failed"));
        assertEquals(0, counter(registry, "jurom.commands.refused"));
        assertEquals(0, counter(registry, "jurom.commands.held.back"));
        assertEquals(0, counter(registry, "jurom.workers.lost"));
        assertEquals(0, registry.get("jurom.commands.in.flight").gauge().value());
        assertEquals(0, registry.get("jurom.workers").gauge().value());
        assertEquals(
                List.of(Tag.of("service", "first")),
                registry.get("jurom.workers").gauge().getId().getTags());
        var median = registry.get("jurom.round.trip").tag("phi", "0.5").timeGauge();
        var longest = registry.get("jurom.round.trip").tag("phi", "1").timeGauge();
        assertTrue(
                median.value(TimeUnit.NANOSECONDS) > 0
                        && median.value(TimeUnit.NANOSECONDS) <= longest.value(TimeUnit.NANOSECONDS)
                        && longest.value(TimeUnit.SECONDS) < 10,
                () -> "" + median.value());
    }

    @Test
    void timers_have_the_plugin_and_the_type_of_the_command() throws Exception {
        var registry = new SimpleMeterRegistry();
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            var loopback = new CommandTimer<>(LOOPBACK, "loopback", registry);
            assertEquals(1, loopback.call(worker, 1L));
            assertEquals(2, loopback.submit(worker, 2L).join());
            var unknown = new CommandTimer<>(
                    Offload.<Integer, Long>of(
                            GraphPlugin.NAME,
                            GraphPlugin.VERSION,
                            (length, payload) -> length,
                            GraphCodec::loopbackData),
                    "unknown",
                    registry);
            assertThrows(DocaException.class, () -> unknown.call(worker, 3));
            assertThrows(
                    CompletionException.class, () -> unknown.submit(worker, 3).join());
        }
        assertEquals(2, timed(registry, "loopback", "success"));
        assertEquals(0, timed(registry, "loopback", "error"));
        assertEquals(2, timed(registry, "unknown", "error"));
    }

    private static long timed(MeterRegistry registry, String command, String outcome) {
        return registry.get("jurom.command")
                .tags("plugin", GraphPlugin.NAME, "command", command, "outcome", outcome)
                .timer()
                .count();
    }
}
