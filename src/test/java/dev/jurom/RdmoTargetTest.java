// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static dev.jurom.fixture.ServiceFixture.eventually;
import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.EmbeddedWorkers;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.plugin.rdmo.RdmoPlugin;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of memory that peers write to, through the facade. */
@Timeout(120)
class RdmoTargetTest {

    private static final WorkerConfiguration RDMO = WorkerConfiguration.of(RdmoPlugin.NAME);
    private static final Duration SHORT = Duration.ofMillis(300);

    private Urom urom;
    private Worker worker;

    @BeforeEach
    void open() throws InterruptedException {
        urom = Urom.open();
        worker = urom.startWorker(RDMO);
    }

    @AfterEach
    void close() {
        urom.close();
        assertEquals(List.of(), workerProcesses());
        eventually(
                "no thread is left",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("urom-rdmo")
                                || thread.getName().equals("jurom-host-memory")));
    }

    private static RdmoWriter writerTo(RdmoTarget target) throws InterruptedException {
        var writer = RdmoWriter.open();
        writer.connect(RdmoInvitation.of(target.invite(writer.introduction()).toBytes()));
        return writer;
    }

    @Test
    void the_example_writes() throws InterruptedException {
        // @start region="target"
        try (var target = RdmoTarget.open(worker, 1024);
                var writer = RdmoWriter.open()) { // usually in another process
            target.setPointer(0, 8); // the offset of the first append
            byte[] invitation = target.invite(writer.introduction()).toBytes();

            // @start region="writer"
            writer.connect(RdmoInvitation.of(invitation));
            writer.append(0, "one".getBytes());
            writer.append(0, "two".getBytes());
            writer.write(512, new byte[] {42});
            writer.flush().join(); // now all writes are complete
            // @end

            assertEquals(14, target.pointer(0));
            assertEquals("onetwo", target.memory().getString(8));
            assertEquals(42, target.memory().get(ValueLayout.JAVA_BYTE, 512));
        }
        // @end
    }

    @Test
    void a_process_without_a_service_writes(@TempDir Path files) throws Exception {
        try (var target = RdmoTarget.open(worker, 1 << 20)) {
            target.setPointer(0, 8);
            try (var program = ForkedJvm.start(RdmoWriterProgram.class, "-Drdmo.folder=" + files)) {
                var introduction = waitFor(files.resolve("introduction"));
                var invitation = target.invite(HexFormat.of().parseHex(introduction));
                publish(files.resolve("invitation"), HexFormat.of().formatHex(invitation.toBytes()));
                var result = program.await();

                assertEquals(0, result.exitCode(), result::output);
                assertEquals("written\n", result.output());
            }
            assertEquals("from afar", target.memory().getString(8));
            assertEquals(
                    -1,
                    target.memory()
                            .asSlice(1024, RdmoWriterProgram.LONG)
                            .mismatch(MemorySegment.ofArray(RdmoWriterProgram.bytes())));
        }
    }

    private static String waitFor(Path file) throws Exception {
        eventually(file + " is there", () -> Files.exists(file));
        return Files.readString(file);
    }

    private static void publish(Path file, String text) throws Exception {
        var whole = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(whole, text);
        Files.move(whole, file);
    }

    @Test
    void platform_and_virtual_threads_append_without_losing_bytes() throws Exception {
        var threads = 8;
        var appends = 200;
        try (var target = RdmoTarget.open(worker, 64 << 10);
                var writer = writerTo(target);
                var other = writerTo(target);
                var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            target.setPointer(8, 64);
            var ends = new ArrayList<Future<?>>();
            for (var i = 0; i < threads; i++) {
                var mine = i % 2 == 0 ? writer : other;
                var bytes = new byte[] {(byte) (i + 1), (byte) (i + 1)};
                ends.add(executor.submit(() -> {
                    for (var j = 0; j < appends; j++) {
                        mine.append(8, bytes);
                    }
                    mine.flush().join();
                    return null;
                }));
            }
            for (var end : ends) {
                end.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
            }

            assertEquals(64 + 2L * threads * appends, target.pointer(8));
            var counts = new int[threads + 1];
            for (var b : target.memory().asSlice(64, 2L * threads * appends).toArray(ValueLayout.JAVA_BYTE)) {
                counts[b]++;
            }
            for (var i = 1; i <= threads; i++) {
                assertEquals(2 * appends, counts[i]);
            }
        }
    }

    @Test
    void requests_with_fences_are_written_in_order() throws Exception {
        try (var target = RdmoTarget.open(worker, 1 << 20);
                var writer = writerTo(target);
                var arena = Arena.ofConfined()) {
            target.setPointer(0, 8);
            var bytes = arena.allocate(200_000);
            for (var i = 1; i <= 20; i++) {
                writer.write(1024, bytes.fill((byte) i), true);
            }
            writer.append(0, bytes.asSlice(0, 3).fill((byte) 42), true);
            bytes.fill((byte) 99);
            writer.flush().join();

            assertEquals(-1, target.memory().asSlice(1024, 200_000).mismatch(bytes.fill((byte) 20)));
            assertEquals(11, target.pointer(0));
            assertEquals(42, target.memory().get(ValueLayout.JAVA_BYTE, 10));
        }
    }

    @Test
    void a_worker_has_several_targets_consecutively_and_concurrently() throws Exception {
        for (var round = 0; round < 2; round++) {
            try (var one = RdmoTarget.open(worker, 100);
                    var two = RdmoTarget.open(worker, 100);
                    var toOne = writerTo(one);
                    var toTwo = writerTo(two)) {
                toOne.write(99, new byte[] {1});
                toTwo.scatter(
                        Map.of(0L, MemorySegment.ofArray(new byte[] {2}), 50L, MemorySegment.ofArray(new byte[] {3})),
                        false);
                toOne.flush().join();
                toTwo.flush().join();

                assertEquals(1, one.memory().get(ValueLayout.JAVA_BYTE, 99));
                assertEquals(2, two.memory().get(ValueLayout.JAVA_BYTE, 0));
                assertEquals(3, two.memory().get(ValueLayout.JAVA_BYTE, 50));
            }
        }
    }

    @Test
    void a_rejected_request_fails_the_next_flush_only() throws Exception {
        try (var target = RdmoTarget.open(worker, 64);
                var writer = writerTo(target)) {
            target.setPointer(0, 60);
            writer.append(0, new byte[8]); // out of bounds

            var failure = (DocaException) assertThrows(CompletionException.class, writer.flush()::join)
                    .getCause();

            assertEquals(DocaError.INVALID_VALUE, failure.error(), failure::getMessage);
            writer.flush().join();
        }
    }

    @Test
    void an_action_that_depends_on_a_flush_may_wait_for_the_next_one() throws Exception {
        try (var target = RdmoTarget.open(worker, 64);
                var writer = writerTo(target)) {
            var second = writer.flush().thenCompose(done -> {
                try {
                    writer.flush().join();
                    return writer.flush();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });

            second.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void an_unanswered_flush_times_out_and_requests_wait_no_longer() throws Exception {
        var process = Long.toString(workerProcesses().getFirst().pid());
        try (var target = RdmoTarget.open(worker, 64);
                var writer = writerTo(target)) {
            writer.flush().join();
            Command.run("kill", "-STOP", process);
            try {
                var failure = (DocaException) assertThrows(CompletionException.class, writer.flush(SHORT)::join)
                        .getCause();
                assertEquals(DocaError.TIME_OUT, failure.error(), failure::getMessage);
            } finally {
                Command.run("kill", "-CONT", process);
            }
            writer.write(0, new byte[] {1});
            writer.flush().join();
            assertEquals(1, target.memory().get(ValueLayout.JAVA_BYTE, 0));
        }
    }

    @Test
    void a_flush_after_requests_that_are_not_received_times_out() throws Exception {
        var process = Long.toString(workerProcesses().getFirst().pid());
        try (var target = RdmoTarget.open(worker, 1 << 20);
                var writer = writerTo(target)) {
            writer.flush().join();
            Command.run("kill", "-STOP", process);
            try {
                for (var i = 0; i < 100; i++) { // more than the maximum in flight, fewer than the maximum queued
                    writer.write(0, new byte[100_000]);
                }
                var begin = System.nanoTime();
                var failure = (DocaException) assertThrows(CompletionException.class, writer.flush(SHORT)::join)
                        .getCause();

                assertEquals(DocaError.TIME_OUT, failure.error(), failure::getMessage);
                assertTrue(System.nanoTime() - begin < DEADLINE.toNanos());
            } finally {
                Command.run("kill", "-CONT", process);
            }
            writer.flush().join();
        }
    }

    @Test
    void a_thread_that_waits_for_space_is_interruptible() throws Exception {
        var process = Long.toString(workerProcesses().getFirst().pid());
        try (var target = RdmoTarget.open(worker, 64);
                var writer = writerTo(target)) {
            Command.run("kill", "-STOP", process);
            try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
                var endless = executor.submit(() -> {
                    while (true) {
                        writer.write(0, new byte[1]);
                    }
                });
                assertThrows(TimeoutException.class, () -> endless.get(1, TimeUnit.SECONDS));
                var noRoom = assertThrows(DocaException.class, () -> writer.flush(SHORT));
                assertEquals(DocaError.TIME_OUT, noRoom.error(), noRoom::getMessage);
                executor.shutdownNow();

                assertTrue(executor.awaitTermination(10, TimeUnit.SECONDS));
                assertEquals(
                        InterruptedException.class,
                        assertThrows(Exception.class, endless::get).getCause().getClass());
            } finally {
                Command.run("kill", "-CONT", process);
            }
            writer.flush().join();
        }
    }

    @Test
    void a_target_of_a_killed_worker_is_closed_and_its_memory_freed() throws Exception {
        var target = RdmoTarget.open(worker, 64);
        var writer = writerTo(target);
        writer.flush().join();
        var memory = target.memory();
        workerProcesses().forEach(ProcessHandle::destroyForcibly);
        worker.onExit().get(DEADLINE.toSeconds(), TimeUnit.SECONDS);

        target.close();
        writer.close();
        worker.close();

        assertFalse(memory.scope().isAlive());
    }

    @Test
    void close_requires_an_order_and_is_idempotent() throws Exception {
        var target = RdmoTarget.open(worker, 64);
        var writer = writerTo(target);
        var refused = assertThrows(IllegalStateException.class, worker::close);
        assertTrue(refused.getMessage().contains("RDMO target of 64 bytes"), refused::getMessage);
        assertTrue(worker.isRunning());

        writer.close();
        writer.close();
        urom.close();
        target.close();

        assertFalse(target.memory().scope().isAlive());
        assertThrows(IllegalStateException.class, () -> writer.write(0, new byte[1]));
        assertThrows(IllegalStateException.class, () -> target.invite(new byte[1]));
    }

    @Test
    void a_close_on_the_engine_thread_is_rejected_and_changes_nothing() throws Exception {
        var direct =
                UromConfiguration.builder().completionExecutor(Runnable::run).build();
        try (var other = Urom.open(direct);
                var graph = other.startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
                var rdmo = other.startWorker(RDMO);
                var target = RdmoTarget.open(rdmo, 64);
                var writer = RdmoWriter.open()) {
            EmbeddedWorkers.signal("STOP"); // so that the engine thread completes the future
            var refusal = graph.submit(GraphPlugin.LOOPBACK, 1L)
                    .thenApply(answer -> assertThrows(IllegalStateException.class, target::close));
            EmbeddedWorkers.signal("CONT");

            assertTrue(refusal.get(30, TimeUnit.SECONDS).getMessage().contains("engine thread"));
            writer.connect(target.invite(writer.introduction()));
        }
    }

    @Test
    void a_dismissed_peer_has_no_access() throws Exception {
        try (var target = RdmoTarget.open(worker, 64);
                var writer = RdmoWriter.open()) {
            var invitation = target.invite(writer.introduction());
            writer.connect(invitation);
            writer.flush().join();
            target.dismiss(invitation);
            target.dismiss(invitation);

            writer.write(0, new byte[] {1});
            assertThrows(CompletionException.class, writer.flush(Duration.ofSeconds(1))::join);

            assertEquals(0, target.memory().get(ValueLayout.JAVA_BYTE, 0));
        }
    }

    @Test
    void a_peer_is_dismissed_by_the_bytes_of_its_invitation() throws Exception {
        try (var target = RdmoTarget.open(worker, 64);
                var writer = RdmoWriter.open();
                var other = writerTo(target)) {
            var bytes = target.invite(writer.introduction()).toBytes();
            writer.connect(RdmoInvitation.of(bytes));
            writer.flush().join();

            target.dismiss(RdmoInvitation.of(bytes));

            writer.write(0, new byte[] {1});
            assertThrows(CompletionException.class, writer.flush(Duration.ofSeconds(1))::join);
            assertEquals(0, target.memory().get(ValueLayout.JAVA_BYTE, 0));
            other.flush().join();
        }
    }

    @Test
    void an_invitation_of_another_target_dismisses_no_peer_of_this_target() throws Exception {
        try (var second = urom.startWorker(RDMO);
                var target = RdmoTarget.open(worker, 64);
                var sibling = RdmoTarget.open(worker, 64);
                var other = RdmoTarget.open(second, 64);
                var writer = RdmoWriter.open();
                var guest = RdmoWriter.open()) {
            writer.connect(target.invite(writer.introduction()));
            var foreign = other.invite(guest.introduction()); // also the first peer of its worker
            var refused = assertThrows(IllegalArgumentException.class, () -> target.dismiss(foreign));
            assertThrows(IllegalArgumentException.class, () -> target.dismiss(RdmoInvitation.of(foreign.toBytes())));
            assertThrows(IllegalArgumentException.class, () -> target.dismiss(sibling.invite(guest.introduction())));

            assertTrue(refused.getMessage().contains("another target"), refused::getMessage);
            writer.write(0, new byte[] {1});
            writer.flush().join();
            assertEquals(1, target.memory().get(ValueLayout.JAVA_BYTE, 0));
        }
    }

    @Test
    void child_processes_inherit_no_variable_of_the_library() throws Exception {
        try (var target = RdmoTarget.open(worker, 64);
                var writer = writerTo(target)) {
            writer.flush().join();
            var child = new ProcessBuilder("env", "-0").start();
            var output = new String(child.getInputStream().readAllBytes());

            assertEquals(0, child.waitFor());
            var atTheStart = Files.readString(Path.of("/proc/self/environ"));
            assertEquals(
                    List.of(),
                    Arrays.stream(output.split("\0"))
                            .filter(line -> line.startsWith("UCX_") || line.startsWith("DOCA_"))
                            .filter(line -> !atTheStart.contains(line))
                            .toList());
        }
    }

    @Test
    void misuse_is_rejected_with_the_name_of_the_object() throws Exception {
        try (var target = RdmoTarget.open(worker, 64);
                var writer = RdmoWriter.open();
                var graph = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            assertThrows(IllegalStateException.class, () -> writer.write(0, new byte[1]));
            assertThrows(IllegalStateException.class, writer::flush);
            writer.connect(target.invite(writer.introduction()));
            assertThrows(IndexOutOfBoundsException.class, () -> writer.write(60, new byte[5]));
            assertThrows(IndexOutOfBoundsException.class, () -> writer.append(60, new byte[1]));
            assertThrows(IllegalArgumentException.class, () -> writer.append(0, new byte[(64 << 20) + 1]));
            assertThrows(IndexOutOfBoundsException.class, () -> target.setPointer(0, 65));
            assertThrows(IllegalArgumentException.class, () -> RdmoTarget.open(worker, 0));
            assertEquals(
                    DocaError.NOT_FOUND,
                    assertThrows(DocaException.class, () -> RdmoTarget.open(graph, 64))
                            .error());
        }
    }

    @Test
    void an_invitation_of_any_bytes_is_parsed_or_rejected() throws Exception {
        byte[] bytes;
        try (var target = RdmoTarget.open(worker, 64);
                var writer = RdmoWriter.open()) {
            bytes = target.invite(writer.introduction()).toBytes();
        }
        assertArrayEquals(bytes, RdmoInvitation.of(bytes).toBytes());
        assertEquals(64, RdmoInvitation.of(bytes).length());
        for (var length = 0; length < bytes.length; length++) {
            var part = Arrays.copyOf(bytes, length);
            assertThrows(IllegalArgumentException.class, () -> RdmoInvitation.of(part));
        }
        for (var i = 0; i < 8; i++) {
            var other = bytes.clone();
            other[i]++;
            assertThrows(IllegalArgumentException.class, () -> RdmoInvitation.of(other));
        }
        var negative = bytes.clone();
        negative[39] = -1; // the most significant byte of the length
        assertThrows(IllegalArgumentException.class, () -> RdmoInvitation.of(negative));
        assertThrows(IllegalArgumentException.class, () -> RdmoInvitation.of("hello".getBytes(StandardCharsets.UTF_8)));
    }
}
