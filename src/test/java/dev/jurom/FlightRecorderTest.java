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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
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
    void a_start_that_is_stopped_is_recorded() throws Exception {
        try (var recording = recording("dev.jurom.WorkerStart", "dev.jurom.WorkerStop")) {
            try (var fixture = ServiceFixture.open();
                    var worker = fixture.worker()) {
                assertFalse(worker.start());
                worker.stopAndWait(ServiceFixture.DEADLINE);
            }
            var events = events(recording);

            assertFalse(named(events, "dev.jurom.WorkerStart").getFirst().getBoolean("running"));
            assertEquals(1, named(events, "dev.jurom.WorkerStop").size());
        }
    }

    @Test
    void each_command_of_the_facade_is_recorded_once() throws Exception {
        try (var recording = recording("dev.jurom.Command")) {
            long id;
            try (var urom = Urom.open();
                    var worker = urom.startWorker(WorkerConfiguration.builder(GraphPlugin.NAME)
                            .tasks(2)
                            .build())) {
                id = worker.id();
                var process = Long.toString(
                        ServiceFixture.workerProcesses().getFirst().pid());
                Command.run("kill", "-STOP", process);
                var futures = new ArrayList<CompletableFuture<Long>>();
                try {
                    futures.add(worker.submit(GraphPlugin.LOOPBACK, 1L));
                    futures.add(worker.trySubmit(GraphPlugin.LOOPBACK, 2L).orElseThrow());
                    futures.add(worker.submit(GraphPlugin.LOOPBACK, 3L)); // queued
                    worker.submit(GraphPlugin.LOOPBACK, 4L).cancel(true); // never submitted
                } finally {
                    Command.run("kill", "-CONT", process);
                }
                for (var future : futures) {
                    future.get(30, TimeUnit.SECONDS);
                }
                worker.call(GraphPlugin.LOOPBACK, 5L);
                worker.callAll(GraphPlugin.LOOPBACK, List.of(6L, 7L, 8L, 9L, 10L));
            }
            var commands = named(events(recording), "dev.jurom.Command");

            assertEquals(9, commands.size(), commands::toString);
            for (var command : commands) {
                assertEquals(id, command.getLong("worker"));
                assertEquals(16, command.getLong("payload"));
                assertEquals(16, command.getLong("response"));
                assertEquals("SUCCESS", command.getString("status"));
            }
        }
    }

    @Test
    void a_command_whose_caller_does_not_wait_any_more_is_recorded_once_as_abandoned() throws Exception {
        var configuration =
                UromConfiguration.builder().callTimeout(Duration.ofMillis(200)).build();
        try (var recording = recording("dev.jurom.Command")) {
            long id;
            try (var urom = Urom.open(configuration);
                    var worker = urom.startWorker(GRAPH)) {
                id = worker.id();
                var process = Long.toString(
                        ServiceFixture.workerProcesses().getFirst().pid());
                Command.run("kill", "-STOP", process);
                try {
                    assertThrows(DocaException.class, () -> worker.call(GraphPlugin.LOOPBACK, 1L));
                    assertThrows(
                            DocaException.class,
                            () -> worker.call(
                                    GraphPlugin.LOOPBACK, 2L, CallOptions.DEFAULT.withTimeout(Duration.ofMillis(10))));
                    assertThrows(DocaException.class, () -> worker.callAll(GraphPlugin.LOOPBACK, List.of(3L, 4L)));
                    assertThrows(
                            ExecutionException.class,
                            () -> worker.submit(GraphPlugin.LOOPBACK, 5L).get(30, TimeUnit.SECONDS));
                    worker.submit(GraphPlugin.LOOPBACK, 6L).cancel(true);
                    for (var builder : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
                        var thread = builder.start(() -> assertThrows(
                                InterruptedException.class,
                                () -> worker.call(
                                        GraphPlugin.LOOPBACK,
                                        7L,
                                        CallOptions.DEFAULT.withTimeout(Duration.ofMinutes(1)))));
                        ServiceFixture.eventually("it waits", () -> InterruptTest.isWaiting(thread));
                        thread.interrupt();
                        assertTrue(thread.join(Duration.ofSeconds(30)));
                    }
                } finally {
                    Command.run("kill", "-CONT", process);
                }
            }
            var commands = named(events(recording), "dev.jurom.Command");

            assertEquals(8, commands.size(), commands::toString);
            for (var command : commands) {
                assertEquals(id, command.getLong("worker"));
                assertEquals(16, command.getLong("payload"));
                assertEquals("GIVEN_UP", command.getString("status"));
            }
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
