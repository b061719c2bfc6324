// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.Uninterrupted.call;
import static dev.jurom.Uninterrupted.submit;
import static dev.jurom.fixture.ServiceFixture.eventually;
import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForEveryRuntime;
import dev.jurom.fixture.OtherThread;
import dev.jurom.plugin.graph.GraphPlugin;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.function.Executable;

/** Tests calls of the facade by dependent actions, close during operations, and cancellation. */
@ForEveryRuntime
class UromReentryTest {

    private static final WorkerConfiguration GRAPH = WorkerConfiguration.of(GraphPlugin.NAME);
    private static final WorkerConfiguration SMALL =
            WorkerConfiguration.builder(GraphPlugin.NAME).tasks(1).build();

    /**
     * Far less than the default timeouts (30 s of a submit, one minute of an engine task), which would hide a hang.
     */
    private static final long SOON_SECONDS = 10;

    private Urom urom;

    @BeforeEach
    void open() {
        urom = Urom.open();
    }

    @AfterEach
    void close() {
        urom.close();
        assertEquals(List.of(), workerProcesses());
    }

    @Test
    void a_dependent_action_may_submit_to_a_full_worker() throws Exception {
        var small = urom.startWorker(SMALL);
        var answers = new ArrayList<CompletableFuture<Long>>();
        for (var i = 0L; i < 20; i++) {
            answers.add(small.submit(LOOPBACK, i).thenCompose(value -> {
                var others = submit(small, LOOPBACK, value + 100);
                return submit(small, LOOPBACK, value + 200).thenCombine(others, Long::sum);
            }));
        }
        for (var i = 0; i < 20; i++) {
            assertEquals(2L * i + 300, soon(answers.get(i)).longValue());
        }
    }

    @Test
    void a_dependent_action_may_start_and_close_workers() throws Exception {
        var worker = urom.startWorker(GRAPH);

        var answer = worker.submit(LOOPBACK, 1L).thenApply(one -> {
            worker.close();
            try (var another = Uninterrupted.run(() -> urom.startWorker(GRAPH))) {
                return call(another, LOOPBACK, one + 1);
            }
        });

        long two = soon(answer);
        assertEquals(2, two);
        eventually("no worker is left", () -> workerProcesses().isEmpty());
    }

    @Test
    void an_action_that_depends_on_the_start_may_use_and_close_the_worker() throws Exception {
        var answer = urom.startWorkerAsync(GRAPH).thenApply(worker -> {
            try (worker) {
                return call(worker, LOOPBACK, 7L);
            }
        });
        long seven = soon(answer);
        assertEquals(7, seven);
    }

    @Test
    void a_callback_may_close_the_facade() throws Exception {
        var other = Urom.open();
        var worker = other.startWorker(GRAPH);
        var answers = new ArrayList<CompletableFuture<Long>>(); // start all completion threads
        for (var i = 0L; i < 200; i++) {
            answers.add(worker.submit(LOOPBACK, i));
        }
        for (var answer : answers) {
            soon(answer);
        }

        var closed = whileStopped(() -> worker.submit(LOOPBACK, 1L).thenAccept(one -> other.close()));

        soon(closed);
        eventually("no thread is left", () -> completionThreads() == 0);
    }

    private static long completionThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("urom-completion"))
                .count();
    }

    /** Takes a minute, the timeout of a close. */
    @Test
    @EnabledIfSystemProperty(named = "jurom.long", matches = "true")
    void a_close_fails_while_a_callback_blocks_and_can_be_repeated() throws Exception {
        var other = Urom.open();
        var worker = other.startWorker(GRAPH);
        var goesOn = new CountDownLatch(1);
        var blocks = new CompletableFuture<Thread>();
        worker.submit(LOOPBACK, 1L).thenAccept(one -> {
            blocks.complete(Thread.currentThread());
            Uninterrupted.run(() -> goesOn.await(2, TimeUnit.MINUTES));
        });
        var thread = soon(blocks);

        var failure = assertThrows(DocaException.class, other::close);
        assertEquals(DocaError.TIME_OUT, failure.error());
        assertTrue(thread.isAlive());
        assertTrue(failure.getMessage().contains(thread.getName()), failure::getMessage);
        goesOn.countDown();
        other.close();

        assertFalse(thread.isAlive());
    }

    @Test
    void completions_on_the_engine_thread_may_not_block() throws Exception {
        var direct =
                UromConfiguration.builder().completionExecutor(Runnable::run).build();
        try (var other = Urom.open(direct);
                var worker = other.startWorker(GRAPH)) {
            var refusals = whileStopped(() -> worker.submit(LOOPBACK, 1L).thenApply(one -> {
                var pending = worker.submit(LOOPBACK, 2L);
                return List.<Executable>of(
                                other::close,
                                worker::close,
                                pending::join,
                                () -> worker.call(LOOPBACK, 3L),
                                () -> other.startWorker(GRAPH),
                                () -> other.workersByGroup(1),
                                other::counters)
                        .stream()
                        .map(action -> assertThrows(IllegalStateException.class, action))
                        .toList();
            }));

            for (var refusal : soon(refusals)) {
                assertTrue(refusal.getMessage().contains("engine thread"), refusal.getMessage());
            }
            assertEquals(2, worker.call(LOOPBACK, 2L));
        }
    }

    @Test
    void closing_a_worker_ends_waits_for_its_slots_immediately() throws Exception {
        var small = urom.startWorker(SMALL);
        var waiting = whileStopped(() -> {
            small.submit(LOOPBACK, 1L);
            var callers = IntStream.range(0, 3)
                    .mapToObj(i -> OtherThread.start("waits-" + i, () -> small.call(LOOPBACK, 2L)))
                    .toList();
            eventually(
                    "all wait for the slot",
                    () -> Thread.getAllStackTraces().keySet().stream()
                                    .filter(thread -> thread.getName().startsWith("waits-")
                                            && thread.getState() == Thread.State.TIMED_WAITING)
                                    .count()
                            == 3);
            soon(OtherThread.start("closes", () -> {
                small.close();
                return true;
            }));
            return callers;
        });
        for (var caller : waiting) {
            assertInstanceOf(
                    IllegalStateException.class,
                    assertThrows(CompletionException.class, () -> soon(caller)).getCause());
        }
    }

    @Test
    void closing_the_facade_waits_for_pending_operations_and_leaks_nothing() throws Exception {
        for (var i = 0; i < 5; i++) {
            var other = Urom.open();
            var starting = List.of(other.startWorkerAsync(GRAPH), other.startWorkerAsync(GRAPH));
            var group = other.workersByGroupAsync(3);

            other.close();

            for (var start : starting) {
                assertTrue(start.isDone());
                var use = start.thenApply(worker -> call(worker, LOOPBACK, 1L));
                assertInstanceOf(IllegalStateException.class, use.exceptionNow());
            }
            assertEquals(0, group.getNow(null).length);
            eventually("its workers have exited", () -> workerProcesses().isEmpty());
        }
    }

    @Test
    void a_cancelled_start_leaves_no_worker() throws Exception {
        for (var i = 0; i < 3; i++) {
            urom.startWorkerAsync(GRAPH).cancel(false);
        }
        var last = urom.startWorker(GRAPH);
        last.close();
        eventually("no worker is left", () -> workerProcesses().isEmpty());
    }

    /** Runs an action while the only worker is suspended, so that commands stay in flight. */
    private static <T> T whileStopped(Callable<T> action) throws Exception {
        var process = Long.toString(workerProcesses().getLast().pid());
        Command.run("kill", "-STOP", process);
        try {
            return action.call();
        } finally {
            Command.execute(List.of("kill", "-CONT", process));
        }
    }

    private static <T> T soon(CompletableFuture<T> future) {
        return future.orTimeout(SOON_SECONDS, TimeUnit.SECONDS).join();
    }
}
