// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaException;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlightRecorderTest {

    private static final WorkerConfiguration GRAPH = WorkerConfiguration.of(GraphPlugin.NAME);

    @TempDir
    private Path folder;

    @Test
    void commands_and_worker_lifecycles_are_recorded_if_enabled() throws Exception {
        try (var recording = recording("dev.jurom.Command", "dev.jurom.WorkerStart", "dev.jurom.WorkerStop")) {
            long id;
            try (var urom = Urom.open();
                    var worker = urom.startWorker(GRAPH)) {
                id = worker.id();
                for (var i = 0L; i < 3; i++) {
                    worker.call(GraphPlugin.LOOPBACK, i);
                }
            }
            var events = events(recording);

            var commands = named(events, "dev.jurom.Command");
            assertEquals(3, commands.size());
            for (var command : commands) {
                assertEquals(id, command.getLong("worker"));
                assertEquals(16, command.getLong("payload"));
                assertEquals(16, command.getLong("response"));
                assertEquals("SUCCESS", command.getString("status"));
                assertTrue(command.getDuration().isPositive());
            }
            var start = named(events, "dev.jurom.WorkerStart").getFirst();
            assertEquals(id, start.getLong("worker"));
            assertTrue(start.getBoolean("running"));
            assertEquals(id, named(events, "dev.jurom.WorkerStop").getFirst().getLong("worker"));
        }
    }

    @Test
    void an_abandoned_command_is_recorded_as_abandoned() throws IOException {
        try (var recording = recording("dev.jurom.Command");
                var fixture = ServiceFixture.open();
                var worker = fixture.startWorker()) {
            var task = worker.commandTask(fixture.graph());
            task.setPayloadLength(GraphCodec.packLoopback(1, task.payload())).submit();
            task.close();
            worker.close();

            var commands = named(events(recording), "dev.jurom.Command");
            assertEquals(1, commands.size());
            assertEquals("GIVEN_UP", commands.getFirst().getString("status"));
            assertEquals(16, commands.getFirst().getLong("payload"));
        }
    }

    @Test
    void a_wait_for_a_slot_is_recorded() throws Exception {
        try (var recording = recording("dev.jurom.BackPressure");
                var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.builder(GraphPlugin.NAME)
                        .tasks(1)
                        .submitTimeout(Duration.ofMillis(20))
                        .build())) {
            var process =
                    Long.toString(ServiceFixture.workerProcesses().getFirst().pid());
            Command.run("kill", "-STOP", process);
            try {
                var first = worker.submit(GraphPlugin.LOOPBACK, 1L);
                assertThrows(DocaException.class, () -> worker.call(GraphPlugin.LOOPBACK, 2L));
                assertFalse(first.isDone());
            } finally {
                Command.run("kill", "-CONT", process);
            }
            var held = named(events(recording), "dev.jurom.BackPressure").getFirst();

            assertEquals(worker.id(), held.getLong("worker"));
            assertFalse(held.getBoolean("inTime"));
            assertTrue(held.getDuration().toMillis() >= 20, held.toString());
        }
    }

    @Test
    void nothing_is_recorded_by_default() throws Exception {
        try (var recording = new Recording()) {
            recording.start();
            try (var urom = Urom.open();
                    var worker = urom.startWorker(GRAPH)) {
                worker.call(GraphPlugin.LOOPBACK, 1L);
            }

            assertTrue(events(recording).stream()
                    .noneMatch(event -> event.getEventType().getName().startsWith("dev.jurom")));
        }
    }

    private static Recording recording(String... events) {
        var recording = new Recording();
        for (var event : events) {
            recording.enable(event).withoutThreshold();
        }
        recording.start();
        return recording;
    }

    private List<RecordedEvent> events(Recording recording) throws IOException {
        recording.stop();
        var file = folder.resolve("recording.jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file);
    }

    private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
    }
}
