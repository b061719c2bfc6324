// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.ContextState;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.service.EmbeddedService;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests how the exit of a worker process is reported to hosts. */
class WorkerExitTest {

    private static final int SIGSEGV = 11;
    private static final int SIGKILL = 9;

    private static void signal(String name) {
        Command.run(
                "kill", "-" + name, Long.toString(workerProcesses().getFirst().pid()));
    }

    private static void awaitIdle(UromWorker worker) {
        assertTrue(worker.engine().progressUntil(() -> worker.state() == ContextState.IDLE, DEADLINE));
    }

    @Test
    void commands_of_a_worker_terminated_by_a_signal_report_the_signal_and_the_time() {
        try (var fixture = ServiceFixture.open();
                var worker = fixture.startWorker();
                var task = worker.commandTask(fixture.graph())) {
            var id = worker.id();
            var exit = worker.onExit();
            signal("STOP"); // keeps the command in flight
            task.setPayloadLength(GraphCodec.packLoopback(1, task.payload()));
            task.submit();
            var before = Instant.now();
            signal("SEGV");
            signal("CONT");
            awaitIdle(worker);

            var end = exit.join();
            assertEquals(id, end.workerId());
            assertEquals(new WorkerExit.Signalled(SIGSEGV), end.cause());
            assertTrue(end.text().startsWith("worker " + id + " was ended by signal 11 (SIGSEGV)"), end.text());
            assertTrue(end.text().endsWith("; its log is the standard error of the service"), end.text());
            assertFalse(end.time().isBefore(before));
            assertFalse(end.time().isAfter(Instant.now()));
            assertEquals(end, worker.exit().orElseThrow());
            assertEquals(DocaError.CONNECTION_RESET, task.status());
            assertTrue(task.advice().contains(end.toString()), task.advice());
        }
    }

    @Test
    void a_worker_that_does_not_answer_is_reported_as_unresponsive() {
        try (var fixture = ServiceFixture.open(EmbeddedService.open(usual -> usual.toBuilder()
                        .workers(usual.workers().withHangTimeout(Duration.ofMillis(800)))
                        .build()));
                var worker = fixture.startWorker()) {
            signal("STOP");
            awaitIdle(worker);

            var text = "worker " + worker.exit().orElseThrow().workerId()
                    + " did not answer for 800 ms (--hang-timeout) while it ran no callback";
            assertEquals(
                    new WorkerExit.Unresponsive(text), worker.onExit().join().cause());
        }
    }

    @Test
    void a_worker_that_is_stopped_has_no_exit() {
        CompletableFuture<WorkerExit> exit;
        try (var fixture = ServiceFixture.open()) {
            try (var worker = fixture.startWorker()) {
                exit = worker.onExit();
                worker.stopAndWait(DEADLINE);

                assertTrue(exit.isCancelled());
                assertTrue(worker.exit().isEmpty());
                worker.startAndWait(DEADLINE); // the next run has its own exit
                assertFalse(worker.onExit().isDone());
                signal("KILL");
                awaitIdle(worker);
                assertEquals(
                        new WorkerExit.Signalled(SIGKILL),
                        worker.onExit().join().cause());
            }
        }
    }

    @Test
    void the_exit_is_unknown_if_the_service_is_disconnected() {
        try (var fixture = ServiceFixture.open();
                var worker = fixture.startWorker()) {
            var exit = worker.onExit();
            fixture.embedded().close();
            awaitIdle(worker);

            assertTrue(exit.isDone());
            assertFalse(exit.isCompletedExceptionally());
        }
    }

    @Test
    void the_facade_and_its_commands_report_the_exit_of_their_worker() throws Exception {
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            var exit = worker.onExit();
            assertFalse(exit.isDone());
            signal("STOP");
            var doomed = worker.submit(GraphPlugin.LOOPBACK, 1L);
            signal("KILL");

            var end = exit.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
            assertEquals(new WorkerExit.Signalled(SIGKILL), end.cause());
            var failed = assertInstanceOf(
                    DocaException.class,
                    assertThrows(CompletionException.class, doomed::join).getCause());
            assertTrue(failed.getMessage().contains(end.toString()), failed.getMessage());
            var later = assertThrows(DocaException.class, () -> worker.call(GraphPlugin.LOOPBACK, 2L));
            assertTrue(later.getMessage().contains(end.toString()), later.getMessage());
        }
    }

    @Test
    void closing_a_worker_of_the_facade_cancels_its_exit_future() throws InterruptedException {
        try (var urom = Urom.open()) {
            var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
            var exit = worker.onExit();

            worker.close();

            ServiceFixture.eventually("the future is cancelled", exit::isCancelled);
        }
    }

    @Test
    void an_action_dependent_on_the_exit_of_a_worker_may_use_the_facade() throws Exception {
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            var answer = worker.onExit()
                    .thenComposeAsync(end -> urom.startWorkerAsync(WorkerConfiguration.of(GraphPlugin.NAME)));
            signal("KILL");

            assertEquals(5, answer.get(DEADLINE.toSeconds(), TimeUnit.SECONDS).call(GraphPlugin.LOOPBACK, 5L));
        }
    }
}
