// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.TestDaemon;
import dev.jurom.service.TestHost;
import dev.jurom.service.UromDaemon;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.logs.WorkerLogs;
import dev.jurom.service.settings.Limits;
import dev.jurom.service.wire.Frame;
import dev.jurom.urom.CpuSet;
import dev.jurom.urom.WorkerId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests processes of the real worker program from SPAWN to their exit. */
class WorkersTest {

    private static final int SIGKILL_STATUS = 128 + 9;

    @TempDir
    private Path folder;

    private UromDaemon daemon;
    private TestHost host;

    @BeforeEach
    void start() {
        daemon = TestDaemon.start(TestDaemon.configuration().cores(2), folder);
        host = TestHost.admitted(daemon);
    }

    @AfterEach
    void stop() {
        host.close();
        daemon.close();
        assertEquals(List.of(), List.copyOf(TestDaemon.workers(TestDaemon.workerProgram())));
    }

    private Frame.Spawned spawn(long workerId) {
        host.spawn(workerId, 1, OptionalInt.empty(), List.of());
        return host.receive(Frame.Spawned.class);
    }

    private void assertRefused(DocaError error, String words) {
        var answer = host.receive(Frame.Failure.class);
        assertEquals(error, answer.error(), answer.text());
        assertTrue(answer.text().contains(words), answer.text());
    }

    @Test
    void a_host_receives_the_address_and_ticket_of_its_worker() {
        var spawn = host.spawn(5, 1, OptionalInt.of(3), List.of());
        var spawned = host.receive(Frame.Spawned.class);

        assertEquals(spawn.requestId(), spawned.requestId());
        assertEquals(5, spawned.workerId());
        assertTrue(spawned.newProcess());
        assertEquals(OptionalInt.of(3), spawned.group());
        assertTrue(spawned.address().startsWith("unix:/"), spawned.address());
        assertTrue(Files.exists(Path.of(spawned.address().substring("unix:".length()))));
        assertEquals(1, TestDaemon.workers(TestDaemon.workerProgram()).size());
        assertTrue(TestDaemon.workers(TestDaemon.workerProgram()).contains((long) spawned.processId()));
    }

    @Test
    void a_worker_exits_when_it_is_released() {
        var spawned = spawn(5);

        host.release(5);

        TestDaemon.awaitEnd(spawned.processId());
    }

    @Test
    void any_id_is_a_fresh_one() {
        spawn(1);
        spawn(2);
        var ids = new HashSet<>(List.of(1L, 2L));
        for (var i = 0; i < 3; i++) {
            assertTrue(ids.add(spawn(WorkerId.ANY).workerId()));
        }
        assertFalse(ids.contains(WorkerId.ANY));
    }

    @Test
    void an_id_that_exists_means_the_same_worker() {
        var first = spawn(5);

        try (var other = TestHost.admitted(daemon)) {
            other.spawn(5, 1, OptionalInt.empty(), List.of());
            var second = other.receive(Frame.Spawned.class);

            assertFalse(second.newProcess());
            assertEquals(first.processId(), second.processId());
            assertEquals(first.address(), second.address());
            assertNotEquals(first.ticket().id(), second.ticket().id());
            assertNotEquals(first.ticket().key(), second.ticket().key());
        }
    }

    @Test
    void a_worker_runs_until_its_last_reference_is_released() {
        var spawned = spawn(5);
        spawn(5);
        try (var other = TestHost.admitted(daemon)) {
            other.spawn(5, 1, OptionalInt.empty(), List.of());
            other.receive(Frame.Spawned.class);

            host.release(5);
            host.release(5);
            host.send(new Frame.GetGroup(1, 1)); // the answer confirms that the earlier frames were processed
            host.receive(Frame.Group.class);
            assertTrue(TestDaemon.isAlive(spawned.processId()));
        } // closing a connection releases its references

        TestDaemon.awaitEnd(spawned.processId());
    }

    @Test
    void a_spawn_of_a_worker_that_is_starting_waits_for_it() {
        host.spawn(5, 1, OptionalInt.empty(), List.of());
        host.spawn(5, 1, OptionalInt.empty(), List.of());

        var first = host.receive(Frame.Spawned.class);
        var second = host.receive(Frame.Spawned.class);
        assertTrue(first.newProcess());
        assertFalse(second.newProcess());
        assertEquals(first.processId(), second.processId());
    }

    @Test
    void an_id_is_free_again_as_soon_as_it_is_released() {
        var first = spawn(5);
        host.release(5);
        var second = spawn(5);

        assertTrue(second.newProcess());
        assertNotEquals(first.processId(), second.processId());
        assertNotEquals(first.address(), second.address());
    }

    @Test
    void a_reference_that_is_not_held_cannot_be_released() {
        spawn(5);
        try (var other = TestHost.admitted(daemon)) {
            other.send(new Frame.Release(1, 5));

            assertEquals(DocaError.NOT_FOUND, other.receive(Frame.Failure.class).error());
        }
        host.release(5);
        host.send(new Frame.Release(2, 5));
        assertRefused(DocaError.NOT_FOUND, "worker 5");
    }

    @Test
    void groups_list_their_workers() {
        host.spawn(9, 1, OptionalInt.of(0), List.of());
        host.receive(Frame.Spawned.class);
        host.spawn(4, 1, OptionalInt.of(0), List.of());
        host.receive(Frame.Spawned.class);
        host.spawn(6, 1, OptionalInt.of(-1), List.of());
        host.receive(Frame.Spawned.class);
        spawn(7); // not in any group, not even group 0

        assertGroup(0, 4L, 9L);
        assertGroup(-1, 6L);
        assertGroup(1);
        host.release(9);
        assertGroup(0, 4L);
    }

    private void assertGroup(int group, Long... workers) {
        host.send(new Frame.GetGroup(1, group));
        assertEquals(new Frame.Group(1, List.of(workers)), host.receive());
    }

    @Test
    void no_plugins_and_unknown_plugins_are_refused() {
        host.spawnAny(0);
        assertRefused(DocaError.INVALID_VALUE, "at least one plugin");

        host.spawnAny(1L << 61 | 1);
        assertRefused(DocaError.INVALID_VALUE, "0x2000000000000000");
    }

    @Test
    void a_cpu_set_must_be_within_the_services() {
        spawnOn(CpuSet.of(1));
        host.receive(Frame.Spawned.class);

        spawnOn(CpuSet.of(1, 2));
        assertRefused(DocaError.INVALID_VALUE, "1-2 is not within the service's, 0-1");
        spawnOn(CpuSet.empty());
        assertRefused(DocaError.INVALID_VALUE, "empty");
    }

    private void spawnOn(CpuSet cpuSet) {
        host.send(Frame.Spawn.of(host.nextRequest(), WorkerId.ANY, 1).withCpuSet(Optional.of(cpuSet)));
    }

    @Test
    void a_running_worker_keeps_its_environment() {
        spawn(5);

        host.spawn(5, 1, OptionalInt.empty(), List.of("A=b"));
        assertRefused(DocaError.ALREADY_EXIST, "environment");
    }

    @Test
    void a_running_worker_keeps_its_plugins() {
        spawn(5);

        host.spawn(5, 2, OptionalInt.empty(), List.of());
        assertRefused(DocaError.INVALID_VALUE, "runs with the plugins 0x1 and not with 0x2");
    }

    @Test
    void hosts_are_notified_at_once_when_a_worker_is_killed() {
        var spawn = host.spawn(5, 1, OptionalInt.empty(), List.of());
        var spawned = host.receive(Frame.Spawned.class);
        var survivor = spawn(6);

        var killed = System.nanoTime();
        ProcessHandle.of(spawned.processId()).orElseThrow().destroyForcibly();
        var gone = host.receive();

        assertEquals(
                new Frame.WorkerGone(
                        spawn.requestId(), 5, SIGKILL_STATUS, false, "Worker 5 was ended by signal 9 (SIGKILL)"),
                gone);
        assertTrue(System.nanoTime() - killed < Duration.ofSeconds(5).toNanos());
        assertTrue(TestDaemon.isAlive(survivor.processId()));
        assertTrue(spawn(5).newProcess());
    }

    @Test
    void each_reference_is_notified_when_a_worker_is_killed() {
        var first = host.spawn(5, 1, OptionalInt.empty(), List.of());
        var processId = host.receive(Frame.Spawned.class).processId();
        var second = host.spawn(5, 1, OptionalInt.empty(), List.of());
        host.receive(Frame.Spawned.class);

        ProcessHandle.of(processId).orElseThrow().destroyForcibly();

        var told = new HashSet<>(List.of(
                host.receive(Frame.WorkerGone.class).requestId(),
                host.receive(Frame.WorkerGone.class).requestId()));
        assertEquals(new HashSet<>(List.of(first.requestId(), second.requestId())), told);
    }

    @Test
    void the_workers_of_a_disconnected_host_exit() {
        var other = TestHost.admitted(daemon);
        other.spawnAny(1);
        var spawned = other.receive(Frame.Spawned.class);
        other.spawnAny(1); // not ready yet

        other.close();

        TestDaemon.awaitEnd(spawned.processId());
        Waiting.until(
                "no worker is left",
                () -> TestDaemon.workers(TestDaemon.workerProgram()).isEmpty());
    }

    @Test
    void a_spawn_while_the_service_closes_leaves_nothing() {
        for (var i = 0; i < 8; i++) {
            host.spawnAny(1);
        }
        daemon.close();

        assertEquals(0, TestDaemon.workers(TestDaemon.workerProgram()).size());
    }

    @Test
    void thirty_two_workers_run_at_a_time() {
        for (var i = 0; i < 32; i++) {
            host.spawnAny(1);
        }
        var processes = new HashSet<Integer>();
        for (var i = 0; i < 32; i++) {
            processes.add(host.receive(Frame.Spawned.class).processId());
        }

        assertEquals(32, processes.size());
    }

    @Test
    void logs_are_named_after_their_process() {
        var spawned = spawn(5);
        host.release(5);
        TestDaemon.awaitEnd(spawned.processId());

        var log = folder.resolve("urom_worker_" + spawned.processId() + "_dev.log");
        Waiting.until("there is a log " + log, () -> Files.exists(log));
        assertTrue(TestDaemon.log(folder)
                .contains("Worker 5 of user "
                        + Credentials.ofThisProcess().userId() + " runs as process "
                        + spawned.processId()));
    }

    @Test
    void a_limit_on_workers_is_kept() {
        try (var small = TestDaemon.start(
                        TestDaemon.configuration().limits(Limits.DEFAULT.withWorkers(2, 2)), folder.resolve("small"));
                var its = TestHost.admitted(small)) {
            var ids = new ArrayList<Long>();
            for (var i = 0; i < 2; i++) {
                its.spawnAny(1);
                ids.add(its.receive(Frame.Spawned.class).workerId());
            }
            its.spawnAny(1);
            assertEquals(DocaError.FULL, its.receive(Frame.Failure.class).error());

            its.release(ids.getFirst());
            Waiting.until("a slot is free again", () -> {
                its.spawnAny(1);
                return its.receive() instanceof Frame.Spawned;
            });
        }
    }

    @Test
    void a_limit_on_the_workers_of_a_user_is_kept() {
        try (var small = TestDaemon.start(
                        TestDaemon.configuration().limits(Limits.DEFAULT.withWorkers(9, 1)), folder.resolve("small"));
                var its = TestHost.admitted(small)) {
            its.spawnAny(1);
            its.receive(Frame.Spawned.class);
            its.spawnAny(1);

            var refusal = its.receive(Frame.Failure.class);
            assertEquals(DocaError.FULL, refusal.error());
            assertTrue(refusal.text().contains("--max-workers-per-user"), refusal.text());
        }
    }

    @Test
    void a_limit_on_references_is_kept() {
        try (var small = TestDaemon.start(
                        TestDaemon.configuration().limits(Limits.DEFAULT.withRequests(100, 10, 2)),
                        folder.resolve("small"));
                var its = TestHost.admitted(small);
                var other = TestHost.admitted(small)) {
            for (var i = 0; i < 2; i++) {
                its.spawn(5, 1, OptionalInt.empty(), List.of());
                its.receive(Frame.Spawned.class);
            }
            its.spawn(5, 1, OptionalInt.empty(), List.of());
            assertEquals(DocaError.FULL, its.receive(Frame.Failure.class).error());
            other.spawn(5, 1, OptionalInt.empty(), List.of());
            other.receive(Frame.Spawned.class);

            its.release(5);
            its.spawn(5, 1, OptionalInt.empty(), List.of());
            its.receive(Frame.Spawned.class);
        }
    }

    @Test
    void the_socket_of_a_worker_is_removed_with_it() {
        var socket = Path.of(spawn(5).address().substring("unix:".length()));
        host.release(5);

        Waiting.until("the socket is removed", () -> !Files.exists(socket));
    }

    /** Otherwise a user could fill the disk with the logs of short-lived workers. */
    @Test
    void only_the_logs_of_the_last_workers_of_a_user_are_kept() {
        Path latest = null;
        for (var i = 0; i < WorkerLogs.KEPT + 3; i++) {
            var spawned = spawn(5);
            latest = folder.resolve("urom_worker_" + spawned.processId() + "_dev.log");
            host.release(5);
            TestDaemon.awaitEnd(spawned.processId());
        }

        var last = latest;
        Waiting.until("the last log exists", () -> Files.exists(last));
        Waiting.until(
                "the first logs are removed",
                () -> folder.toFile().list((all, name) -> name.startsWith("urom_worker_")).length == WorkerLogs.KEPT);
    }

    @Test
    void hosts_are_notified_when_the_service_ends() {
        var spawn = host.spawn(5, 1, OptionalInt.empty(), List.of());
        host.receive(Frame.Spawned.class);

        daemon.close();

        var gone = host.receive(Frame.WorkerGone.class);
        assertEquals(spawn.requestId(), gone.requestId());
        assertTrue(gone.text().contains("the service is ending"), gone.text());
        host.awaitLost();
    }
}
