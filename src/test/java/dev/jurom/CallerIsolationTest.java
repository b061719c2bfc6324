// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.fixture.ServiceFixture.eventually;
import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForEveryRuntime;
import dev.jurom.fixture.OtherThread;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Tests that a caller receives its own exceptions, runs no code of other callers, and is not delayed by them.
 */
@ForEveryRuntime
class CallerIsolationTest {

    private static final WorkerConfiguration GRAPH = WorkerConfiguration.of(GraphPlugin.NAME);
    private static final long SOON_SECONDS = 20;

    /** A command that is too short for the plugin. */
    private static final Offload<Long, Long> TOO_SHORT =
            Offload.of(GraphPlugin.NAME, GraphPlugin.VERSION, (value, payload) -> 1, GraphCodec::loopbackData);

    @Test
    void a_failed_call_has_a_stack_trace_of_its_own_caller() throws Exception {
        try (var urom = Urom.open();
                var worker = urom.startWorker(GRAPH)) {
            var over = new AtomicBoolean();
            var others = IntStream.range(0, 3)
                    .mapToObj(i -> OtherThread.start("other-" + i, () -> {
                        while (!over.get()) {
                            worker.call(LOOPBACK, 1L);
                        }
                        return true;
                    }))
                    .toList();
            try {
                for (var i = 0; i < 200; i++) {
                    var failure = assertThrows(DocaException.class, () -> refused(worker));
                    assertTrue(
                            List.of(failure.getStackTrace()).stream()
                                    .anyMatch(frame -> frame.getMethodName().equals("refused")),
                            () -> "the caller is missing from " + List.of(failure.getStackTrace()));
                }
            } finally {
                over.set(true);
            }
            for (var other : others) {
                assertTrue(other.get(SOON_SECONDS, TimeUnit.SECONDS));
            }
        }
    }

    /** A command that the plugin rejects. */
    private static Object refused(Worker worker) throws InterruptedException {
        return worker.call(TOO_SHORT, 1L);
    }

    @Test
    void a_calling_thread_runs_no_dependent_actions_of_other_commands() throws Exception {
        try (var urom = Urom.open();
                var worker = urom.startWorker(GRAPH)) {
            var over = new AtomicBoolean();
            var ran = ConcurrentHashMap.<Thread>newKeySet();
            var callers = ConcurrentHashMap.<Thread>newKeySet();
            var test = Thread.currentThread(); // runs a dependent added after completion
            var others = IntStream.range(0, 2)
                    .mapToObj(i -> OtherThread.start("calls-" + i, () -> {
                        callers.add(Thread.currentThread());
                        while (!over.get()) {
                            worker.call(LOOPBACK, 1L);
                        }
                        return true;
                    }))
                    .toList();
            var answers = new ArrayList<CompletableFuture<Void>>();
            for (var i = 0L; i < 2000; i++) {
                var answer = worker.submit(LOOPBACK, i);
                answers.add(answer.thenAccept(value -> {
                    if (Thread.currentThread() != test) {
                        ran.add(Thread.currentThread());
                        Thread.currentThread().interrupt(); // the body preserves the interrupt status
                    }
                }));
            }
            for (var answer : answers) {
                answer.get(SOON_SECONDS, TimeUnit.SECONDS);
            }
            over.set(true);
            for (var other : others) {
                assertTrue(other.get(SOON_SECONDS, TimeUnit.SECONDS));
            }
            assertEquals(Set.of(), intersection(ran, callers));
            assertTrue(ran.stream().noneMatch(thread -> thread.getName().equals("urom")), ran::toString);
        }
    }

    private static Set<Thread> intersection(Set<Thread> one, Set<Thread> other) {
        var both = new HashSet<>(one);
        both.retainAll(other);
        return both;
    }

    @Test
    void all_commands_of_a_killed_worker_fail_with_its_exit() throws Exception {
        for (var round = 0; round < 5; round++) {
            try (var urom = Urom.open();
                    var worker = urom.startWorker(GRAPH)) {
                var exit = worker.onExit();
                var failures = new ConcurrentLinkedQueue<DocaException>();
                var callers = IntStream.range(0, 4)
                        .mapToObj(i -> OtherThread.start("doomed-" + i, () -> callUntilFailure(worker, failures)))
                        .toList();
                eventually("calls are answered", () -> urom.counters().completed() > 100);
                Command.run(
                        "kill",
                        "-KILL",
                        Long.toString(workerProcesses().getFirst().pid()));
                for (var caller : callers) {
                    assertTrue(caller.get(SOON_SECONDS, TimeUnit.SECONDS));
                }
                var cause = exit.get(SOON_SECONDS, TimeUnit.SECONDS);
                for (var failure : failures) {
                    assertEquals(DocaError.CONNECTION_RESET, failure.error(), failure::getMessage);
                    assertTrue(failure.getMessage().contains(cause.toString()), failure::getMessage);
                }
            }
        }
    }

    private static boolean callUntilFailure(Worker worker, ConcurrentLinkedQueue<DocaException> failures)
            throws InterruptedException {
        while (failures.size() < 100) {
            try {
                worker.call(LOOPBACK, 1L);
                worker.submit(LOOPBACK, 2L).join();
            } catch (DocaException e) {
                failures.add(e);
            } catch (CompletionException e) {
                failures.add(assertInstanceOf(DocaException.class, e.getCause()));
            }
        }
        return true;
    }

    @Test
    void timed_waits_for_a_dependent_future_leak_nothing() throws Exception {
        try (var urom = Urom.open();
                var worker = urom.startWorker(GRAPH)) {
            var process = Long.toString(workerProcesses().getFirst().pid());
            Command.run("kill", "-STOP", process);
            try {
                var dependent = worker.submit(LOOPBACK, 1L).thenApply(value -> value + 1);
                for (var i = 0; i < 1000; i++) {
                    assertThrows(TimeoutException.class, () -> dependent.get(1, TimeUnit.MICROSECONDS));
                }
                assertTrue(
                        dependent.getNumberOfDependents() < 10,
                        () -> dependent.getNumberOfDependents() + " dependents");
            } finally {
                Command.run("kill", "-CONT", process);
            }
        }
    }

    @Test
    void a_thread_that_others_pass_gets_a_slot() throws Exception {
        var threads = 50;
        var calls = new AtomicIntegerArray(threads);
        try (var urom = Urom.open();
                var worker = urom.startWorker(
                        WorkerConfiguration.builder(GraphPlugin.NAME).tasks(1).build())) {
            var over = new AtomicBoolean();
            var callers = IntStream.range(0, threads)
                    .mapToObj(i -> OtherThread.start("in-turn-" + i, () -> {
                        while (!over.get()) {
                            worker.call(LOOPBACK, 1L);
                            calls.incrementAndGet(i);
                        }
                        return true;
                    }))
                    .toList();
            for (var round = 0; round < 3; round++) {
                var before = IntStream.range(0, threads).map(calls::get).toArray();
                eventually(
                        "each thread has called since then",
                        () -> IntStream.range(0, threads).allMatch(i -> calls.get(i) > before[i]));
            }
            over.set(true);
            for (var caller : callers) {
                assertTrue(caller.get(SOON_SECONDS, TimeUnit.SECONDS));
            }
        }
    }

    @Test
    void a_queued_command_fails_when_its_worker_is_closed() throws Exception {
        try (var urom = Urom.open();
                var worker = urom.startWorker(
                        WorkerConfiguration.builder(GraphPlugin.NAME).tasks(1).build())) {
            var process = Long.toString(workerProcesses().getFirst().pid());
            Command.run("kill", "-STOP", process);
            try {
                var answers = new ArrayList<CompletableFuture<Long>>();
                for (var i = 0L; i < 4; i++) {
                    answers.add(worker.submit(LOOPBACK, i));
                }
                worker.close();
                answers.add(worker.submit(LOOPBACK, 4L));
                for (var answer : answers) {
                    eventually("it has failed", answer::isDone);
                    assertInstanceOf(IllegalStateException.class, answer.exceptionNow());
                }
            } finally {
                Command.run("kill", "-CONT", process);
            }
        }
    }

    /** Takes a minute, the timeout of a close. */
    @Test
    @EnabledIfSystemProperty(named = "jurom.long", matches = "true")
    void a_close_that_timed_out_can_be_repeated() throws Exception {
        var packing = new CountDownLatch(1);
        var goesOn = new CountDownLatch(1);
        var slow = Offload.<Long, Long>of(
                GraphPlugin.NAME,
                GraphPlugin.VERSION,
                (value, payload) -> {
                    packing.countDown();
                    assertTrue(Uninterrupted.run(() -> goesOn.await(2, TimeUnit.MINUTES)));
                    return GraphCodec.packLoopback(value, payload);
                },
                GraphCodec::loopbackData);
        var urom = Urom.open();
        var worker = urom.startWorker(GRAPH);
        var caller = OtherThread.start("packs", () -> worker.call(slow, 1L));
        assertTrue(packing.await(SOON_SECONDS, TimeUnit.SECONDS));

        assertEquals(
                DocaError.TIME_OUT,
                assertThrows(DocaException.class, urom::close).error());
        assertThrows(IllegalStateException.class, () -> urom.startWorker(GRAPH));
        goesOn.countDown();
        urom.close();

        assertInstanceOf(
                IllegalStateException.class,
                assertThrows(ExecutionException.class, () -> caller.get(SOON_SECONDS, TimeUnit.SECONDS))
                        .getCause());
        assertTrue(Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("urom")));
    }

    @Test
    void no_thread_is_alive_when_close_returns() throws Exception {
        for (var round = 0; round < 20; round++) {
            var before = Thread.getAllStackTraces().keySet();
            var urom = Urom.open();
            var worker = urom.startWorker(GRAPH);
            assertEquals(1, worker.call(LOOPBACK, 1L));
            assertEquals(2, worker.submit(LOOPBACK, 2L).get(SOON_SECONDS, TimeUnit.SECONDS));
            urom.close();
            var left = new HashSet<>(Thread.getAllStackTraces().keySet());
            left.removeAll(before);
            left.removeIf(thread -> !thread.getName().startsWith("urom"));
            assertEquals(Set.of(), left);
        }
    }
}
