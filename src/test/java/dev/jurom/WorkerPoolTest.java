// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

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
import dev.jurom.fixture.EmbeddedWorkers;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.service.EmbeddedService;
import dev.jurom.service.settings.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WorkerPoolTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration REPLACE_AFTER = Duration.ofMillis(300);
    private static final int CALLERS = 4;
    private static final long SOON_SECONDS = 20;

    private Urom urom;

    private WorkerPool start(int workers, int tasks, Duration callTimeout, Duration replaceAfter)
            throws InterruptedException {
        urom = Urom.open(UromConfiguration.builder().callTimeout(callTimeout).build());
        return urom.startPool(PoolConfiguration.builder(WorkerConfiguration.builder(GraphPlugin.NAME)
                        .tasks(tasks)
                        .build())
                .workers(workers)
                .replaceAfter(replaceAfter)
                .build());
    }

    private WorkerPool start(int workers) throws InterruptedException {
        return start(workers, 64, LONG, LONG);
    }

    @AfterEach
    void close() {
        EmbeddedWorkers.signal("CONT");
        if (urom != null) {
            urom.close();
        }
        eventually("no worker is left", () -> workerProcesses().isEmpty());
        eventually(
                "no thread is left",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("urom")));
    }

    private static long sum(WorkerPool pool, ToLongFunction<PoolWorkerCounters> counter) {
        return pool.counters().stream().mapToLong(counter).sum();
    }

    private static List<Integer> inFlight(WorkerPool pool) {
        return pool.counters().stream()
                .map(PoolWorkerCounters::inFlight)
                .sorted()
                .toList();
    }

    private static <T> T soon(CompletableFuture<T> future) {
        return future.orTimeout(SOON_SECONDS, TimeUnit.SECONDS).join();
    }

    private static DocaError error(Throwable failure) {
        return assertInstanceOf(DocaException.class, failure, failure::toString).error();
    }

    private static <T> CompletableFuture<T> start(Thread.Builder thread, Callable<T> action) {
        var end = new CompletableFuture<T>();
        thread.start(() -> {
            try {
                end.complete(action.call());
            } catch (Throwable e) {
                end.completeExceptionally(e);
            }
        });
        return end;
    }

    private static Throwable failure(CompletableFuture<?> future) {
        eventually("the command has ended", future::isDone);
        return future.exceptionNow();
    }

    @Test
    void each_command_goes_to_the_worker_with_the_fewest_in_flight() throws Exception {
        var pool = start(3);
        EmbeddedWorkers.signal("STOP");
        var answers = new ArrayList<CompletableFuture<Long>>();
        for (var i = 0L; i < 6; i++) {
            answers.add(pool.submit(LOOPBACK, i));
        }
        answers.add(pool.trySubmit(LOOPBACK, 6L).orElseThrow());
        answers.add(start(Thread.ofPlatform(), () -> pool.call(LOOPBACK, 7L)));
        eventually("all are in flight", () -> inFlight(pool).equals(List.of(2, 3, 3)));

        var resumed = workerProcesses().getFirst();
        EmbeddedWorkers.signal(resumed, "CONT");
        eventually("one worker has answered, and its callers know", () -> {
            var left = answers.stream().filter(answer -> !answer.isDone()).count();
            return inFlight(pool).getFirst() == 0 && left == sum(pool, PoolWorkerCounters::inFlight);
        });
        EmbeddedWorkers.signal(resumed, "STOP");
        for (var i = 8L; i < 10; i++) {
            answers.add(pool.submit(LOOPBACK, i));
        }
        eventually("it has the next commands", () -> inFlight(pool).getFirst() == 2);

        EmbeddedWorkers.signal("CONT");
        for (var i = 0L; i < answers.size(); i++) {
            assertEquals(i, soon(answers.get((int) i)));
        }
    }

    @Test
    void a_batch_is_spread_over_the_workers_and_keeps_its_order() throws Exception {
        var pool = start(3, 64, LONG, LONG);
        EmbeddedWorkers.signal("STOP");
        var commands = LongStream.range(0, 30).boxed().toList();
        var few = start(Thread.ofPlatform(), () -> pool.callAll(LOOPBACK, commands));
        eventually("all workers have commands", () -> inFlight(pool).equals(List.of(10, 10, 10)));
        EmbeddedWorkers.signal("CONT");
        assertEquals(commands, soon(few));

        var many = LongStream.range(0, 5000).boxed().toList();
        for (var thread : List.of(Thread.ofPlatform(), Thread.ofVirtual(), Thread.ofVirtual())) {
            assertEquals(many, soon(start(thread, () -> pool.callAll(LOOPBACK, many))));
        }
        assertEquals(List.of(), pool.callAll(LOOPBACK, List.of()));
        assertEquals(List.of(0, 0, 0), inFlight(pool));
    }

    @Test
    void concurrent_batches_wait_for_slots_of_any_worker() throws InterruptedException {
        var pool = start(2, 1, LONG, LONG);
        var commands = LongStream.range(0, 300).boxed().toList();
        var batches = new ArrayList<CompletableFuture<List<Long>>>();
        for (var i = 0; i < 6; i++) {
            batches.add(start(
                    i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual(), () -> pool.callAll(LOOPBACK, commands)));
        }
        batches.forEach(batch -> assertEquals(commands, soon(batch)));
    }

    @Test
    void a_worker_is_occupied_by_commands_whose_callers_have_given_up() throws Exception {
        var pool = start(2, 64, Duration.ofMillis(500), LONG);
        var failures = 0;
        for (var stopped : workerProcesses()) { // one of them is chosen among equals
            EmbeddedWorkers.signal(stopped, "STOP");
            for (var i = 0L; i < 20; i++) {
                try {
                    assertEquals(i, pool.call(LOOPBACK, i));
                } catch (DocaException e) {
                    assertEquals(DocaError.TIME_OUT, e.error());
                    failures++;
                }
            }
            EmbeddedWorkers.signal(stopped, "CONT");
            eventually("all commands are answered", () -> inFlight(pool).equals(List.of(0, 0)));
        }
        assertEquals(1, failures);
    }

    @Test
    void an_idle_worker_that_exits_is_replaced() throws Exception {
        for (var workers = 1; workers <= 2; workers++) {
            var pool = start(workers);
            EmbeddedWorkers.kill();
            var all = workers;
            eventually("all were replaced", () -> sum(pool, PoolWorkerCounters::starts) == 2L * all);
            assertEquals(workers, pool.runningWorkers());
            assertEquals(workers, sum(pool, PoolWorkerCounters::exits));
            assertEquals(1, pool.call(LOOPBACK, 1L));
            urom.close();
        }
    }

    @Test
    void commands_of_a_worker_that_exits_fail_and_later_ones_use_its_replacement() throws Exception {
        var pool = start(2);
        var stop = new AtomicBoolean();
        var callers = new ArrayList<CompletableFuture<Integer>>();
        for (var i = 0; i < 4; i++) {
            callers.add(start(i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual(), () -> {
                var lost = 0;
                for (var value = 0L; !stop.get(); value++) {
                    try {
                        assertEquals(value, pool.call(LOOPBACK, value));
                    } catch (DocaException e) {
                        assertEquals(DocaError.CONNECTION_RESET, e.error(), e::getMessage);
                        lost++;
                    }
                }
                return lost;
            }));
        }
        for (var round = 1; round <= 3; round++) {
            workerProcesses().getFirst().destroyForcibly();
            var exits = round;
            eventually(
                    "it was replaced",
                    () -> sum(pool, PoolWorkerCounters::exits) == exits && pool.runningWorkers() == 2);
        }
        stop.set(true);
        for (var caller : callers) {
            assertTrue(soon(caller) <= 3, "a caller has one command in flight");
        }
    }

    /** A use of a pool that repeats commands. */
    private enum Use {
        CALL {
            @Override
            long apply(WorkerPool pool, long value) throws Exception {
                return pool.call(LOOPBACK, value, REPEATED);
            }
        },
        BATCH {
            @Override
            long apply(WorkerPool pool, long value) throws Exception {
                var values = LongStream.range(value, value + 40).boxed().toList();
                assertEquals(values, pool.callAll(LOOPBACK, values, REPEATED));
                return value;
            }
        },
        FUTURE {
            @Override
            long apply(WorkerPool pool, long value) throws Exception {
                return pool.submit(LOOPBACK, value, REPEATED).get();
            }
        },
        TRIED_FUTURE {
            @Override
            long apply(WorkerPool pool, long value) throws Exception {
                var answer = pool.trySubmit(LOOPBACK, value, REPEATED);
                return answer.isPresent() ? answer.get().get() : value;
            }
        };

        private static final CallOptions REPEATED = CallOptions.DEFAULT.withIdempotent(true);

        abstract long apply(WorkerPool pool, long value) throws Exception;
    }

    @ParameterizedTest
    @EnumSource(Use.class)
    void idempotent_commands_succeed_while_workers_exit(Use use) throws InterruptedException {
        for (var workers = 1; workers <= 2; workers++) {
            var pool = start(workers);
            var all = workers;
            var stop = new AtomicBoolean();
            var callers = new ArrayList<CompletableFuture<Long>>();
            var answered = new AtomicLongArray(CALLERS);
            for (var i = 0; i < CALLERS; i++) {
                var caller = i;
                callers.add(start(i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual(), () -> {
                    for (var value = 0L; !stop.get(); value++) {
                        assertEquals(value, use.apply(pool, value));
                        answered.incrementAndGet(caller);
                    }
                    return answered.get(caller);
                }));
            }
            for (var round = 1; round <= 4; round++) {
                workerProcesses().getFirst().destroyForcibly();
                var exits = round;
                eventually(
                        "it was replaced",
                        () -> sum(pool, PoolWorkerCounters::exits) == exits && pool.runningWorkers() == all);
                // A command is repeated once: the next exit must not hit a repetition.
                var before =
                        IntStream.range(0, CALLERS).mapToLong(answered::get).toArray();
                eventually(
                        "each command in flight has ended",
                        () -> callers.stream()
                                        .filter(CompletableFuture::isDone)
                                        .allMatch(caller -> caller.join() < 0) // throws the failure of a caller
                                && IntStream.range(0, CALLERS).allMatch(i -> answered.get(i) >= before[i] + 2));
            }
            stop.set(true);
            callers.forEach(caller -> assertTrue(soon(caller) > 0));
            assertTrue(pool.repetitions() > 0, "no command was in flight");
            urom.close();
        }
    }

    @Test
    void a_batch_holds_no_slot_while_it_repeats_commands() throws InterruptedException {
        var pool = start(2, 8, LONG, LONG);
        var commands = LongStream.range(0, 64).boxed().toList();
        EmbeddedWorkers.signal("STOP");
        var batch = start(
                Thread.ofPlatform(), () -> pool.callAll(LOOPBACK, commands, CallOptions.DEFAULT.withIdempotent(true)));
        eventually("it has all slots", () -> inFlight(pool).equals(List.of(8, 8)));

        workerProcesses().getFirst().destroyForcibly();
        EmbeddedWorkers.signal("CONT");
        assertEquals(commands, soon(batch));
        assertTrue(pool.repetitions() > 0, "no command was repeated");
    }

    @Test
    void a_repetition_keeps_the_first_deadline() throws InterruptedException {
        var pool = start(2);
        EmbeddedWorkers.signal("STOP");
        var options = CallOptions.DEFAULT.withTimeout(TIMEOUT).withIdempotent(true);
        var begin = System.nanoTime();
        var commands = List.of(
                pool.submit(LOOPBACK, 1L, options),
                pool.submit(LOOPBACK, 2L, options),
                start(Thread.ofPlatform(), () -> pool.call(LOOPBACK, 3L, options)),
                start(Thread.ofPlatform(), () -> pool.call(LOOPBACK, 4L, options)));
        eventually("all are in flight", () -> inFlight(pool).equals(List.of(2, 2)));
        // The commands of one worker are repeated on the other, unless the replacement runs before.
        workerProcesses().getFirst().destroyForcibly();
        for (var command : commands) {
            eventually("the command has ended", command::isDone);
            if (command.isCompletedExceptionally()) { // else the replacement has answered it
                assertEquals(DocaError.TIME_OUT, error(command.exceptionNow()));
            }
        }
        var time = System.nanoTime() - begin;
        assertTrue(time >= TIMEOUT.toNanos(), "too early");
        assertTrue(time < 2 * TIMEOUT.toNanos(), "too late");
    }

    @Test
    void a_busy_worker_is_replaced_while_its_commands_end_at_their_own_deadlines() throws InterruptedException {
        var pool = start(2, 1, TIMEOUT, REPLACE_AFTER);
        EmbeddedWorkers.signal(workerProcesses().getFirst(), "STOP");
        var sent = System.nanoTime();
        var first = pool.submit(LOOPBACK, 1L);
        var second = pool.submit(LOOPBACK, 2L);
        eventually("the other worker has answered", () -> first.isDone() || second.isDone());
        var hanging = first.isDone() ? second : first;
        // The other worker answers them, or they are sent to the replacement.
        var queued = LongStream.range(0, 8)
                .mapToObj(value -> pool.submit(LOOPBACK, value))
                .toList();
        var waiting = List.of(
                start(Thread.ofPlatform(), () -> pool.call(LOOPBACK, 8L)),
                start(Thread.ofVirtual(), () -> pool.call(LOOPBACK, 8L)));

        eventually(
                "it was replaced",
                () -> sum(pool, PoolWorkerCounters::busyReplacements) == 1 && pool.runningWorkers() == 2);
        assertTrue(System.nanoTime() - sent >= REPLACE_AFTER.toNanos(), "too early");
        for (var value = 0; value < queued.size(); value++) {
            assertEquals(value, soon(queued.get(value)));
        }
        waiting.forEach(answer -> assertEquals(8, soon(answer)));
        assertFalse(hanging.isDone());

        var failure = failure(hanging);
        assertEquals(DocaError.TIME_OUT, error(failure));
        assertTrue(System.nanoTime() - sent >= TIMEOUT.toNanos(), "too early");
        eventually("its process has ended", () -> workerProcesses().size() == 2);
        assertEquals(0, sum(pool, PoolWorkerCounters::exits));
    }

    @Test
    void a_replaced_worker_still_answers() throws InterruptedException {
        var pool = start(1, 1, LONG, REPLACE_AFTER);
        var process = workerProcesses().getFirst();
        EmbeddedWorkers.signal(process, "STOP");
        var late = pool.submit(LOOPBACK, 1L);
        eventually("it was replaced", () -> sum(pool, PoolWorkerCounters::starts) == 2);
        assertEquals(2, soon(pool.submit(LOOPBACK, 2L)));
        assertFalse(late.isDone());
        EmbeddedWorkers.signal(process, "CONT");
        assertEquals(1, soon(late));
        eventually("its process has ended", () -> workerProcesses().size() == 1);
    }

    @Test
    void the_close_fails_commands_in_flight_and_later_ones() throws InterruptedException {
        for (var workers = 1; workers <= 2; workers++) {
            var pool = start(workers, 1, LONG, LONG);
            EmbeddedWorkers.signal("STOP");
            var all = new ArrayList<CompletableFuture<?>>();
            for (var i = 0L; i < 4; i++) {
                all.add(pool.submit(LOOPBACK, i)); // in flight or queued
                all.add(start(Thread.ofPlatform(), () -> pool.call(LOOPBACK, 1L)));
                all.add(start(Thread.ofVirtual(), () -> pool.call(LOOPBACK, 1L)));
            }
            pool.close();
            pool.close();
            all.add(pool.submit(LOOPBACK, 1L));
            all.add(start(Thread.ofPlatform(), () -> pool.call(LOOPBACK, 1L)));
            all.add(start(Thread.ofPlatform(), () -> pool.trySubmit(LOOPBACK, 1L)));
            for (var command : all) {
                var failure = failure(command);
                assertInstanceOf(IllegalStateException.class, failure, failure::toString);
                assertTrue(failure.getMessage().contains("closed"), failure::getMessage);
            }
            assertEquals(0, pool.runningWorkers());
            eventually("all have exited", () -> workerProcesses().isEmpty());
            urom.close();
        }
    }

    @Test
    void starts_that_the_service_refuses_are_repeated_after_pauses() throws Exception {
        try (var ignored = EmbeddedService.open(usual -> usual.toBuilder()
                .limits(Limits.builder().workersPerUser(2).build())
                .build())) {
            urom = Urom.open();
            var other = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
            var begin = System.nanoTime();
            var pool = urom.startPool(PoolConfiguration.builder(WorkerConfiguration.of(GraphPlugin.NAME))
                    .workers(2)
                    .build());
            assertEquals(1, pool.runningWorkers());
            assertEquals(1, pool.call(LOOPBACK, 1L));
            eventually("the start was repeated", () -> sum(pool, PoolWorkerCounters::failedStarts) >= 5);
            // 20 ms, 40 ms, 80 ms and 160 ms
            assertTrue(System.nanoTime() - begin >= Duration.ofMillis(300).toNanos(), "too early");
            other.close();
            eventually("both workers run", () -> pool.runningWorkers() == 2);
            assertEquals(2, sum(pool, PoolWorkerCounters::starts));
        }
    }

    @Test
    void without_a_worker_commands_fail_with_the_reason_of_the_next_start() throws InterruptedException {
        var service = EmbeddedService.open();
        var pool = start(1);
        service.close();
        eventually("the exit is known", () -> pool.runningWorkers() == 0);
        for (var command : List.of(
                pool.submit(LOOPBACK, 1L),
                start(Thread.ofPlatform(), () -> pool.call(LOOPBACK, 1L)),
                start(Thread.ofVirtual(), () -> pool.call(LOOPBACK, 1L)))) {
            var failure = failure(command);
            assertEquals(DocaError.NOT_CONNECTED, error(failure));
            assertTrue(failure.getMessage().contains("the last start has failed"), failure::getMessage);
            assertFalse(failure.getCause() == null);
        }
        assertTrue(pool.trySubmit(LOOPBACK, 1L).isEmpty());
    }

    @Test
    void a_pool_without_a_worker_does_not_start() throws InterruptedException {
        urom = Urom.open();
        var unknown = PoolConfiguration.builder(WorkerConfiguration.of("unknown"))
                .workers(3)
                .build();
        assertEquals(DocaError.NOT_FOUND, error(assertThrows(DocaException.class, () -> urom.startPool(unknown))));
    }

    @Test
    void a_caller_that_waits_is_interruptible() throws InterruptedException {
        var pool = start(2, 1, LONG, LONG);
        EmbeddedWorkers.signal("STOP");
        var threads = new ArrayList<Thread>();
        var ends = new ArrayList<CompletableFuture<Long>>();
        for (var i = 0; i < 4; i++) { // two have a slot
            var end = new CompletableFuture<Long>();
            ends.add(end);
            threads.add((i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual()).start(() -> {
                try {
                    end.complete(pool.call(LOOPBACK, 1L));
                } catch (Throwable e) {
                    end.completeExceptionally(e);
                }
            }));
        }
        eventually("two commands are in flight", () -> inFlight(pool).equals(List.of(1, 1)));
        threads.forEach(Thread::interrupt);
        ends.forEach(end -> assertInstanceOf(InterruptedException.class, failure(end)));
    }

    @Test
    void a_cancelled_future_cancels_its_command() throws InterruptedException {
        var pool = start(1, 1, LONG, LONG);
        EmbeddedWorkers.signal("STOP");
        var sent = pool.submit(LOOPBACK, 1L);
        var queued = pool.submit(LOOPBACK, 2L);
        assertTrue(sent.cancel(false) && queued.cancel(false));
        assertEquals(1, sum(pool, PoolWorkerCounters::inFlight));
        assertTrue(pool.trySubmit(LOOPBACK, 3L).isEmpty());
        EmbeddedWorkers.signal("CONT");
        eventually("the slot is free", () -> sum(pool, PoolWorkerCounters::inFlight) == 0);
        assertEquals(4, soon(pool.submit(LOOPBACK, 4L)));
    }

    @Test
    void pools_with_the_same_ids_share_workers_and_replace_them_once() throws Exception {
        var configuration = PoolConfiguration.builder(WorkerConfiguration.builder(GraphPlugin.NAME)
                        .id(1L << 40)
                        .build())
                .workers(2)
                .build();
        urom = Urom.open();
        try (var other = Urom.open()) {
            var pools = List.of(urom.startPool(configuration), other.startPool(configuration));
            assertEquals(2, workerProcesses().size());
            EmbeddedWorkers.kill();
            eventually(
                    "both pools have replacements",
                    () -> pools.stream()
                            .allMatch(
                                    pool -> sum(pool, PoolWorkerCounters::starts) == 4 && pool.runningWorkers() == 2));
            assertEquals(2, workerProcesses().size());
            for (var pool : pools) {
                assertEquals(1, pool.call(LOOPBACK, 1L));
            }
        }
    }
}
