// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.fixture.ServiceFixture.eventually;
import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForEveryRuntime;
import dev.jurom.fixture.OtherThread;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphCommand;
import dev.jurom.plugin.graph.GraphPlugin;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ForEveryRuntime
class UromTest {

    private static final WorkerConfiguration GRAPH = WorkerConfiguration.of(GraphPlugin.NAME);
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final int ROUNDS = 2000;
    private static final int CALLERS = 4; // virtual threads

    private Urom urom;
    private Worker worker;

    private static WorkerConfiguration.Builder tasks(int number) {
        return WorkerConfiguration.builder(GraphPlugin.NAME).tasks(number);
    }

    @BeforeEach
    void open() throws InterruptedException {
        urom = Urom.open();
        worker = urom.startWorker(GRAPH);
    }

    @AfterEach
    void close() {
        urom.close();
        assertEquals(List.of(), workerProcesses());
        // Threads may not have terminated yet when close returns.
        eventually(
                "no thread is left",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("urom")));
    }

    @Test
    void a_call_returns_the_plugins_answer() throws Exception {
        for (var i = 0L; i < 1000; i++) {
            assertEquals(i, worker.call(LOOPBACK, i));
        }
    }

    @Test
    void submitted_commands_are_answered_without_a_waiting_thread() throws Exception {
        var answers = new ArrayList<CompletableFuture<Long>>();
        for (var i = 0L; i < 500; i++) {
            answers.add(worker.submit(LOOPBACK, i));
        }
        var all = CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
        eventually("all are answered", all::isDone);
        for (var i = 0; i < 500; i++) {
            assertEquals(i, answers.get(i).join());
        }
    }

    @ParameterizedTest
    @EnumSource(IdleStrategy.class)
    void every_idle_strategy_answers_calls_and_submissions(IdleStrategy strategy) throws Exception {
        try (var other = Urom.open(
                        UromConfiguration.builder().idleStrategy(strategy).build());
                var own = other.startWorker(GRAPH)) {
            for (var i = 0L; i < 20; i++) {
                assertEquals(i, own.call(LOOPBACK, i));
                var answer = own.submit(LOOPBACK, i);
                eventually("it is answered", answer::isDone);
                assertEquals(i, own.submit(LOOPBACK, i).join());
            }
        }
    }

    @Test
    void platform_threads_call_the_same_worker_concurrently() throws Exception {
        callFromThreads(task -> OtherThread.start("caller", task), 6);
    }

    @Test
    void virtual_threads_call_the_same_worker_concurrently() throws Exception {
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            callFromThreads(
                    task -> CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    return task.call();
                                } catch (Exception e) {
                                    throw new CompletionException(e);
                                }
                            },
                            executor),
                    50);
        }
    }

    private void callFromThreads(
            java.util.function.Function<java.util.concurrent.Callable<Long>, CompletableFuture<Long>> start,
            int threads) {
        var sums = new ArrayList<CompletableFuture<Long>>();
        for (var i = 0; i < threads; i++) {
            var base = i * 1000L;
            sums.add(start.apply(() -> {
                var sum = 0L;
                for (var j = 0; j < 100; j++) {
                    sum += worker.call(LOOPBACK, base + j) - base;
                }
                return sum;
            }));
        }
        for (var sum : sums) {
            assertEquals(4950, sum.orTimeout(30, TimeUnit.SECONDS).join());
        }
    }

    @Test
    void calls_are_answered_while_other_threads_submit() throws Exception {
        var submitter = OtherThread.start("submitter", () -> {
            var last = CompletableFuture.completedFuture(0L);
            for (var i = 0L; i < 2000; i++) {
                last = worker.submit(LOOPBACK, i);
            }
            return last.join();
        });
        for (var i = 0L; i < 500; i++) {
            assertEquals(i, worker.call(LOOPBACK, i));
        }
        assertEquals(1999, submitter.orTimeout(30, TimeUnit.SECONDS).join());
    }

    @Test
    void a_dependent_action_may_call_again() throws Exception {
        var answer = worker.submit(LOOPBACK, 1L)
                .thenApply(one -> Uninterrupted.call(worker, LOOPBACK, one + 1))
                .thenCompose(two -> Uninterrupted.submit(worker, LOOPBACK, two + 1));

        assertEquals(3, answer.orTimeout(30, TimeUnit.SECONDS).join());
    }

    @Test
    void an_answer_of_a_codec_is_a_record_that_may_be_kept() throws Exception {
        var loopback = Offload.of(GraphPlugin.NAME, GraphPlugin.VERSION, GraphCodec.COMMAND, GraphCodec.NOTIFICATION);
        var bytes = MemorySegment.ofArray(new byte[] {1, 2, 3});

        var answer = worker.call(loopback, new GraphCommand.Loopback(9, bytes));
        worker.call(LOOPBACK, 5L);

        var notification = assertInstanceOf(dev.jurom.plugin.graph.GraphNotification.Loopback.class, answer);
        assertEquals(9, notification.data());
        assertEquals(-1, bytes.mismatch(notification.payload()));
    }

    @Test
    void a_full_worker_blocks_submitters() throws Exception {
        try (var small = urom.startWorker(tasks(2).submitTimeout(SHORT).build())) {
            pause(() -> {
                        var first = small.submit(LOOPBACK, 1L);
                        var second = small.trySubmit(LOOPBACK, 2L).orElseThrow();

                        assertTrue(small.trySubmit(LOOPBACK, 3L).isEmpty());
                        assertEquals(
                                DocaError.AGAIN,
                                assertThrows(DocaException.class, () -> small.call(LOOPBACK, 3L))
                                        .error());
                        var hasty = small.submit(LOOPBACK, 3L, CallOptions.DEFAULT.withTimeout(Duration.ofNanos(1)));
                        eventually("the wait timed out", hasty::isDone);
                        assertEquals(
                                DocaError.TIME_OUT,
                                assertInstanceOf(DocaException.class, hasty.exceptionNow())
                                        .error());
                        var queued = small.submit(LOOPBACK, 4L);
                        assertFalse(queued.isDone());
                        return List.of(first, second, queued);
                    })
                    .forEach(CompletableFuture::join);
            assertEquals(5, small.call(LOOPBACK, 5L));
        }
    }

    @Test
    void a_submit_waits_for_a_slot_that_becomes_free() throws Exception {
        try (var small = urom.startWorker(tasks(1).build())) {
            var waiting = pause(() -> {
                small.submit(LOOPBACK, 1L);
                return OtherThread.start("waits", () -> small.call(LOOPBACK, 2L));
            });
            assertEquals(2, waiting.orTimeout(30, TimeUnit.SECONDS).join());
        }
    }

    @Test
    void the_slot_of_an_answer_that_was_seen_is_free() throws Exception {
        try (var small = urom.startWorker(tasks(1).build())) {
            for (var i = 0; i < ROUNDS; i++) {
                small.submit(LOOPBACK, 1L).join();
                var free = small.trySubmit(LOOPBACK, 2L);
                assertTrue(free.isPresent(), "the future has completed, but its slot is occupied");
                free.get().join();
            }
        }
    }

    @Test
    void the_slots_of_virtual_threads_that_have_ended_are_free() throws Exception {
        try (var small = urom.startWorker(tasks(1).build())) {
            for (var i = 0; i < ROUNDS; i++) {
                try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
                    callers.invokeAll(Collections.nCopies(CALLERS, () -> small.call(LOOPBACK, 2L)));
                }
                var free = small.trySubmit(LOOPBACK, 2L);
                assertTrue(free.isPresent(), "all calls have returned, but a slot is occupied");
                free.get().join();
            }
        }
    }

    @Test
    void a_cancelled_command_keeps_its_slot_until_it_has_completed() throws Exception {
        try (var small = urom.startWorker(tasks(1).build())) {
            var cancelled = pause(() -> {
                var future = small.submit(LOOPBACK, 1L);
                assertTrue(future.cancel(true));
                assertTrue(small.trySubmit(LOOPBACK, 2L).isEmpty());
                return future;
            });
            assertThrows(CancellationException.class, cancelled::join);
            assertEquals(2, small.call(LOOPBACK, 2L));
        }
    }

    @Test
    void a_wait_ends_at_the_timeout_and_the_slot_is_released_later() throws Exception {
        try (var small = urom.startWorker(tasks(4).build())) {
            pause(() -> {
                assertEquals(
                        DocaError.TIME_OUT,
                        assertThrows(
                                        DocaException.class,
                                        () -> small.call(LOOPBACK, 1L, CallOptions.DEFAULT.withTimeout(SHORT)))
                                .error());
                assertThrows(
                        TimeoutException.class, () -> small.submit(LOOPBACK, 2L).get(10, TimeUnit.MILLISECONDS));
                var timed = small.submit(LOOPBACK, 3L).orTimeout(10, TimeUnit.MILLISECONDS);
                assertInstanceOf(
                        TimeoutException.class,
                        assertThrows(ExecutionException.class, timed::get).getCause());
                return null;
            });
            for (var i = 0L; i < 10; i++) {
                assertEquals(i, small.call(LOOPBACK, i));
            }
        }
    }

    @Test
    void closing_fails_pending_commands_with_a_clear_error() throws Exception {
        var pending = pause(() -> {
            var futures = List.of(worker.submit(LOOPBACK, 1L), worker.submit(LOOPBACK, 2L));
            var caller = OtherThread.start("caller", () -> worker.call(LOOPBACK, 3L));
            eventually("three are in flight", () -> futures.stream().noneMatch(f -> f.isDone()));
            var closing = OtherThread.start("closes", () -> {
                worker.close();
                return true;
            });
            closing.orTimeout(30, TimeUnit.SECONDS).join();
            return List.of(futures.get(0), futures.get(1), caller);
        });
        for (var future : pending) {
            var failure = assertThrows(
                    CompletionException.class,
                    () -> future.orTimeout(30, TimeUnit.SECONDS).join());
            assertInstanceOf(IllegalStateException.class, failure.getCause());
            assertTrue(
                    failure.getCause().getMessage().endsWith("is closed"),
                    failure.getCause().getMessage());
        }
        assertFalse(worker.isRunning());
        assertInstanceOf(
                IllegalStateException.class, worker.submit(LOOPBACK, 1L).exceptionNow());
        assertThrows(IllegalStateException.class, () -> worker.trySubmit(LOOPBACK, 1L));
        assertThrows(IllegalStateException.class, () -> worker.call(LOOPBACK, 1L));
        worker.close();
    }

    @Test
    void closing_the_facade_closes_its_workers_and_rejects_later_calls() throws Exception {
        urom.close();
        urom.close();

        assertFalse(worker.isRunning());
        assertThrows(IllegalStateException.class, () -> worker.call(LOOPBACK, 1L));
        assertThrows(IllegalStateException.class, () -> urom.startWorker(GRAPH));
        assertThrows(IllegalStateException.class, () -> urom.workersByGroup(1));
        assertThrows(IllegalStateException.class, () -> urom.workersByGroupAsync(1));
        worker.close();
    }

    @Test
    void commands_of_a_killed_worker_fail_and_other_workers_continue() throws Exception {
        var victim = workerProcesses().getFirst();
        try (var other = urom.startWorker(GRAPH)) {
            Command.run("kill", "-STOP", Long.toString(victim.pid()));
            var doomed = worker.submit(LOOPBACK, 1L);
            victim.destroyForcibly();

            var failure = assertThrows(
                    CompletionException.class,
                    () -> doomed.orTimeout(30, TimeUnit.SECONDS).join());
            assertInstanceOf(DocaException.class, failure.getCause());
            eventually("the exit of the worker is detected", () -> !worker.isRunning());
            assertThrows(DocaException.class, () -> worker.call(LOOPBACK, 2L));
            assertEquals(3, other.call(LOOPBACK, 3L));
        }
    }

    @Test
    void an_error_of_the_plugin_fails_the_command() throws Exception {
        var refused = Offload.<Integer, Long>of(
                GraphPlugin.NAME, GraphPlugin.VERSION, (length, payload) -> length, GraphCodec::loopbackData);

        assertEquals(
                DocaError.INVALID_VALUE,
                assertThrows(DocaException.class, () -> worker.call(refused, 3)).error());
        assertEquals(4, worker.call(LOOPBACK, 4L));
    }

    @Test
    void exceptions_of_packers_and_unpackers_are_thrown_and_lose_no_slot() throws Exception {
        var thrown = new ArithmeticException();
        var packs = Offload.<Long, Long>of(
                GraphPlugin.NAME,
                GraphPlugin.VERSION,
                (value, payload) -> {
                    throw thrown;
                },
                GraphCodec::loopbackData);
        var unpacks =
                Offload.<Long, Long>of(GraphPlugin.NAME, GraphPlugin.VERSION, GraphCodec::packLoopback, response -> {
                    throw thrown;
                });
        var tooLong = Offload.<Long, Long>of(
                GraphPlugin.NAME,
                GraphPlugin.VERSION,
                (value, payload) -> payload.byteSize() + 1,
                GraphCodec::loopbackData);

        for (var i = 0; i < WorkerConfiguration.DEFAULT_TASKS * 2; i++) {
            assertSame(thrown, assertThrows(RuntimeException.class, () -> worker.call(packs, 1L)));
            assertSame(thrown, assertThrows(RuntimeException.class, () -> worker.call(unpacks, 1L)));
            assertThrows(IllegalArgumentException.class, () -> worker.call(tooLong, 1L));
        }
        assertEquals(1, worker.call(LOOPBACK, 1L));
    }

    @Test
    void a_checked_exception_of_an_unpacker_completes_the_future_and_loses_no_slot() throws Exception {
        var thrown = new IOException();
        var unpacks =
                Offload.<Long, Long>of(GraphPlugin.NAME, GraphPlugin.VERSION, GraphCodec::packLoopback, response -> {
                    throw UromTest.<RuntimeException>unchecked(thrown);
                });

        for (var i = 0; i < WorkerConfiguration.DEFAULT_TASKS * 2; i++) {
            var answer = worker.submit(unpacks, 1L);
            assertSame(
                    thrown,
                    assertThrows(ExecutionException.class, () -> answer.get(10, TimeUnit.SECONDS))
                            .getCause());
            assertSame(thrown, assertThrows(IOException.class, () -> worker.call(unpacks, 1L)));
        }
        assertEquals(1, worker.call(LOOPBACK, 1L));
    }

    @SuppressWarnings("unchecked") // as other languages throw it
    private static <E extends Throwable> E unchecked(Throwable thrown) throws E {
        throw (E) thrown;
    }

    @Test
    void missing_or_unloaded_plugins_are_named() throws Exception {
        var unknown = Offload.<Long, Long>of("worker_unknown", 1, GraphCodec::packLoopback, GraphCodec::loopbackData);

        assertTrue(assertThrows(DocaException.class, () -> worker.call(unknown, 1L))
                .getMessage()
                .contains("worker_unknown"));
        assertTrue(assertThrows(DocaException.class, () -> urom.startWorker(WorkerConfiguration.of("worker_unknown")))
                .getMessage()
                .contains("worker_unknown"));
        assertThrows(IllegalArgumentException.class, () -> WorkerConfiguration.of());
        assertThrows(IllegalArgumentException.class, () -> tasks(3));
    }

    @Test
    void workers_are_found_by_group_and_share_a_process_by_id() throws Exception {
        try (var one = urom.startWorker(tasks(1).group(4).id(17).build());
                var same = urom.startWorker(tasks(1).id(17).build())) {
            assertEquals(17, same.id());
            assertArrayEquals(new long[] {17}, urom.workersByGroup(4));
            assertArrayEquals(new long[] {17}, urom.workersByGroupAsync(4).join());
            assertEquals(5, one.call(LOOPBACK, 5L));
            assertEquals(6, same.call(LOOPBACK, 6L));
        }
    }

    @Test
    void two_facades_share_the_embedded_service() throws Exception {
        try (var other = Urom.open();
                var own = other.startWorker(GRAPH)) {
            assertEquals(1, own.call(LOOPBACK, 1L));
            assertEquals(2, workerProcesses().size());
        }
        assertEquals(2, worker.call(LOOPBACK, 2L));
    }

    /** Runs an action while all worker processes are suspended, so that commands stay in flight. */
    private static <T> T pause(java.util.concurrent.Callable<T> action) throws Exception {
        var workers = workerProcesses();
        workers.forEach(process -> Command.run("kill", "-STOP", Long.toString(process.pid())));
        try {
            return action.call();
        } finally {
            workers.stream()
                    .filter(ProcessHandle::isAlive)
                    .forEach(process -> Command.run("kill", "-CONT", Long.toString(process.pid())));
        }
    }
}
