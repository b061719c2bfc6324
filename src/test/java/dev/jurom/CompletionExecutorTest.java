// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.fixture.ServiceFixture.eventually;
import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForEveryRuntime;
import dev.jurom.plugin.graph.GraphPlugin;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that each future is passed to the completion executor once, and completes if the executor fails. */
@ForEveryRuntime
class CompletionExecutorTest {

    private static final int LATE = 1000;
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final long SOON_SECONDS = 10;

    private static Urom open(Executor executor) {
        return Urom.open(
                UromConfiguration.builder().completionExecutor(executor).build());
    }

    @Test
    void a_late_future_is_passed_to_a_blocked_executor_once() throws InterruptedException {
        Queue<Runnable> completions = new ConcurrentLinkedQueue<>();
        var passed = new AtomicInteger();
        var blocked = new AtomicBoolean(true);
        try (var urom = open(completion -> {
                    if (blocked.get()) {
                        passed.incrementAndGet();
                        completions.add(completion);
                    } else {
                        completion.run();
                    }
                });
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            var process = Long.toString(workerProcesses().getFirst().pid());
            Command.run("kill", "-STOP", process);
            try {
                var late = new ArrayList<CompletableFuture<Long>>(); // in slots and in the queue
                for (var i = 0L; i < LATE; i++) {
                    late.add(worker.submit(LOOPBACK, i, CallOptions.DEFAULT.withTimeout(SHORT)));
                }
                eventually("all are late", () -> passed.get() >= LATE);
                // The engine examines the first ones again when these are late.
                for (var i = 1; i <= 5; i++) {
                    var more = LATE + i;
                    late.add(worker.submit(LOOPBACK, (long) more, CallOptions.DEFAULT.withTimeout(SHORT)));
                    eventually("one more is late", () -> passed.get() >= more);
                }

                assertEquals(late.size(), passed.get());
                blocked.set(false);
                completions.forEach(Runnable::run);
                for (var future : late) {
                    var failure = assertInstanceOf(DocaException.class, future.exceptionNow());
                    assertEquals(DocaError.TIME_OUT, failure.error());
                }
            } finally {
                blocked.set(false);
                Command.run("kill", "-CONT", process);
            }
        }
    }

    static Stream<Throwable> failures() {
        return Stream.of(
                new RejectedExecutionException("rejected"),
                new IllegalStateException("shut down"),
                new NullPointerException(),
                new AssertionError("asserts"),
                new StackOverflowError(),
                new OutOfMemoryError("unable to create native thread"),
                new IOException("checked")); // of other languages
    }

    @ParameterizedTest
    @MethodSource("failures")
    void futures_complete_and_close_returns_if_the_executor_throws(Throwable failure) throws Exception {
        var fails = new AtomicBoolean(true);
        var urom = open(completion -> {
            if (fails.get()) {
                throwAny(failure);
            }
            completion.run();
        });
        try {
            var worker = soon(urom.startWorkerAsync(WorkerConfiguration.of(GraphPlugin.NAME)));
            assertEquals(1, soon(worker.submit(LOOPBACK, 1L)));
            soon(urom.workersByGroupAsync(0));
            var exit = worker.onExit();
            Command.run(
                    "kill", "-KILL", Long.toString(workerProcesses().getFirst().pid()));
            soon(exit);
            var other = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
            assertEquals(2, soon(other.submit(LOOPBACK, 2L)));
            soon(CompletableFuture.runAsync(urom::close));
        } finally {
            fails.set(false); // a close does not take a minute
            urom.close();
        }
    }

    @Test
    void futures_complete_if_the_executor_throws_after_it_has_run_the_completion() throws Exception {
        var runs = new AtomicInteger();
        try (var urom = open(completion -> {
                    completion.run();
                    throw new IllegalStateException("after completion " + runs.incrementAndGet());
                });
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            var dependents = new AtomicInteger();
            for (var i = 0L; i < 100; i++) {
                var answer = worker.submit(LOOPBACK, i).whenComplete((value, failure) -> dependents.incrementAndGet());
                assertEquals(i, soon(answer));
            }
            assertEquals(100, dependents.get());
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwAny(Throwable failure) throws T {
        throw (T) failure;
    }

    private static <T> T soon(CompletableFuture<T> future) throws Exception {
        return future.get(SOON_SECONDS, TimeUnit.SECONDS);
    }
}
