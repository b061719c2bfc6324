// SPDX-License-Identifier: Apache-2.0
package dev.jurom.hostile;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static dev.jurom.fixture.ServiceFixture.eventually;
import static dev.jurom.fixture.ServiceFixture.loopback;
import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.ContextState;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.EmbeddedWorkers;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.urom.CommandTask;
import dev.jurom.urom.ServiceFile;
import dev.jurom.urom.UromWorker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests kills of processes on which others depend. */
class KilledTest {

    private static final Duration NOTICE = Duration.ofMillis(100);
    private static final int KILLS = 5;

    private ServiceFixture fixture;

    @BeforeEach
    void open() {
        fixture = ServiceFixture.open();
    }

    @AfterEach
    void close() {
        fixture.close();
        assertEquals(List.of(), workerProcesses());
    }

    @Test
    void commands_in_flight_fail_when_the_worker_is_killed_and_others_continue() throws IOException {
        try (var victim = fixture.startWorker()) {
            var process = workerProcesses().getFirst();
            try (var other = fixture.startWorker();
                    var task = other.commandTask(fixture.graph())) {
                kill(victim, process);

                assertThrows(DocaException.class, () -> victim.commandTask(fixture.graph()));
                assertEquals(7, loopback(task, 7));
                assertEquals(1, fixture.service().plugin("worker_graph").version());
                victim.startAndWait(DEADLINE);
                try (var again = victim.commandTask(fixture.graph())) {
                    assertEquals(8, loopback(again, 8));
                }
            }
        }
    }

    @Test
    void commands_of_a_killed_worker_fail_within_100_ms() throws IOException {
        var times = new ArrayList<Duration>();
        for (var i = 0; i < KILLS; i++) {
            try (var victim = fixture.startWorker()) {
                times.add(kill(victim, workerProcesses().getFirst()));
            }
        }

        Collections.sort(times);
        var median = times.get(KILLS / 2); // ignores single delays
        assertTrue(median.compareTo(NOTICE) < 0, () -> "the median is too long: " + times);
    }

    /** Kills a worker with commands in flight and returns the time until all of them failed. */
    private Duration kill(UromWorker victim, ProcessHandle process) throws IOException {
        signal("STOP", process); // so that the commands are in flight when it dies
        var tasks = submit(victim, 8);
        var killed = System.nanoTime();
        process.destroyForcibly();
        assertTrue(fixture.engine().progressUntil(() -> tasks.stream().allMatch(CommandTask::isCompleted), DEADLINE));
        var elapsed = Duration.ofNanos(System.nanoTime() - killed);
        tasks.forEach(dead -> assertFalse(dead.status().isSuccess()));
        tasks.forEach(CommandTask::close);
        assertTrue(fixture.engine().progressUntil(() -> victim.state() == ContextState.IDLE, DEADLINE));
        return elapsed;
    }

    @Test
    void tasks_of_a_dead_worker_can_be_read_and_closed_but_not_submitted() {
        try (var worker = fixture.startWorker()) {
            var task = worker.commandTask(fixture.graph());
            assertEquals(3, loopback(task, 3));
            workerProcesses().getFirst().destroyForcibly();
            assertTrue(fixture.engine().progressUntil(() -> worker.state() == ContextState.IDLE, DEADLINE));

            assertEquals(3, GraphCodec.loopbackData(task.response()));
            assertThrows(DocaException.class, task::submit);
            assertThrows(IllegalStateException.class, worker::start);
            task.close();
        }
    }

    @Test
    void contexts_become_idle_when_the_service_ends() {
        var worker = fixture.startWorker();
        var task = worker.commandTask(fixture.graph());
        loopback(task, 1);

        fixture.embedded().close();

        assertTrue(fixture.engine()
                .progressUntil(
                        () -> worker.state() == ContextState.IDLE
                                && fixture.service().state() == ContextState.IDLE,
                        DEADLINE));
        assertThrows(DocaException.class, task::submit);
        assertThrows(DocaException.class, () -> fixture.service().plugins());
        task.close();
        worker.close();
    }

    @Test
    void workers_exit_when_the_host_with_their_embedded_service_is_killed() {
        try (var host = ForkedJvm.start(HostProgram.class)) {
            eventually("the host has workers", () -> host.output().contains("ready"));
            var workers = EmbeddedWorkers.of(host.process());
            assertEquals(HostProgram.WORKERS, workers.size());

            host.process().destroyForcibly();

            var deadline = System.nanoTime() + Duration.ofSeconds(2).toNanos();
            eventually("the workers have exited", () -> workers.stream().noneMatch(ProcessHandle::isAlive));
            assertTrue(System.nanoTime() < deadline, "the workers exited after more than 2 s");
        }
    }

    @Test
    void workers_exit_when_a_host_process_is_killed() {
        try (var host = ForkedJvm.start(
                HostProgram.class, "-Dservice=" + ServiceFile.named().orElseThrow())) {
            eventually("the host has workers", () -> host.output().contains("ready"));
            assertEquals(HostProgram.WORKERS, workerProcesses().size());

            host.process().destroyForcibly();

            var deadline = System.nanoTime() + Duration.ofSeconds(2).toNanos();
            eventually("the workers have exited", () -> workerProcesses().isEmpty());
            assertTrue(System.nanoTime() < deadline, "the workers exited after more than 2 s");
        }
        assertEquals(ContextState.RUNNING, fixture.service().state());
    }

    private static void signal(String name, ProcessHandle process) throws IOException {
        dev.jurom.fixture.Command.run("kill", "-" + name, Long.toString(process.pid()));
    }

    private List<CommandTask> submit(UromWorker worker, int count) {
        var tasks = new ArrayList<CommandTask>();
        for (var i = 0; i < count; i++) {
            var task = worker.commandTask(fixture.graph());
            task.setPayloadLength(GraphCodec.packLoopback(i, task.payload()));
            task.submit();
            tasks.add(task);
        }
        return tasks;
    }
}
