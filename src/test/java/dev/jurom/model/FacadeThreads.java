// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.CallOptions;
import dev.jurom.Worker;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of a sequence and their commands. */
final class FacadeThreads {

    static final int THREADS = 8;

    private static final CallOptions MOMENT = CallOptions.DEFAULT.withTimeout(Duration.ofMillis(2));
    private static final Duration WATCH = Duration.ofSeconds(40);

    private final FacadeStage stage;
    private final List<Worker> workers;
    private final List<ProcessHandle> own;
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Submitted> asked = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> unexpected = new ConcurrentLinkedQueue<>();
    /** Sends signals on a thread that is not interrupted. */
    private final ExecutorService signals = Executors.newSingleThreadExecutor();

    private volatile boolean mustReplaceStage; // whether the stage must be replaced

    /** A submitted command. */
    private record Submitted(CompletableFuture<Long> answer, long value, AtomicInteger completions) {}

    private FacadeThreads(FacadeStage stage) throws InterruptedException {
        this.stage = stage;
        stage.open();
        var spawned = stage.spawn();
        workers = List.of(spawned, stage.connect());
        own = WorkerProcess.find(spawned.id());
        assertFalse(own.isEmpty(), "the process of the worker was not found");
    }

    /** Runs each program in a thread and checks the results. */
    static void run(FacadeStage stage, List<List<ThreadStep>> programs) throws Exception {
        var crowd = new FacadeThreads(stage);
        crowd.start(programs);
        crowd.end();
    }

    private void start(List<List<ThreadStep>> programs) {
        for (var i = 0; i < THREADS; i++) {
            var program = programs.get(i);
            var builder = i % 2 == 0 ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
            threads.add(builder.name("crowd-" + i).unstarted(() -> program.forEach(this::take)));
        }
        threads.forEach(Thread::start);
    }

    private void take(ThreadStep step) {
        try {
            act(step.kind(), step.choice());
        } catch (Exception | AssertionError e) {
            if (!isExpected(e)) {
                unexpected.add(e);
            }
        }
    }

    private static boolean isExpected(Throwable failure) {
        return switch (failure) {
            case CompletionException e -> isExpected(e.getCause());
            case ExecutionException e -> isExpected(e.getCause());
            case InterruptedException _, TimeoutException _, CancellationException _, DocaException _ -> true;
            case IllegalStateException e -> e.getMessage().endsWith("is closed");
            default -> false;
        };
    }

    private void act(ThreadStep.Kind kind, int choice) throws Exception {
        var worker = workers.get(choice % workers.size());
        var value = ThreadLocalRandom.current().nextLong();
        switch (kind) {
            case CALL -> assertEquals(value, worker.call(LOOPBACK, value));
            case CALL_FOR_A_MOMENT -> assertEquals(value, worker.call(LOOPBACK, value, MOMENT));
            case SUBMIT -> expect(worker.submit(LOOPBACK, value), value);
            case SUBMIT_FOR_A_MOMENT -> expect(worker.submit(LOOPBACK, value, MOMENT), value);
            case TRY_SUBMIT -> worker.trySubmit(LOOPBACK, value).ifPresent(answer -> expect(answer, value));
            case CHAIN ->
                expect(
                        worker.submit(LOOPBACK, value)
                                .thenCompose(answer -> workers.get(1)
                                        .trySubmit(LOOPBACK, answer)
                                        .orElseGet(() -> CompletableFuture.completedFuture(answer))),
                        value);
            case INTERRUPT -> threads.get(choice % THREADS).interrupt();
            case START -> stage.connect().close();
            case CLOSE_WORKER -> worker.close();
            case KILL -> signals.execute(() -> own.forEach(ProcessHandle::destroyForcibly));
            case HANG -> signals.execute(() -> signal("-STOP"));
            case CLOSE_OR_LOSE_SERVICE -> spoil(choice);
            case JOIN, GET, CANCEL -> useAnswer(kind, choice);
            default -> throw new AssertionError(kind);
        }
    }

    private void expect(CompletableFuture<Long> answer, long value) {
        var command = new Submitted(answer, value, new AtomicInteger());
        asked.add(command);
        answer.whenComplete((result, failure) -> command.completions.incrementAndGet());
    }

    private void useAnswer(ThreadStep.Kind kind, int choice) throws Exception {
        var command = asked.stream().skip(choice % Math.max(1, asked.size())).findFirst();
        if (command.isPresent()) {
            var answer = command.get().answer;
            switch (kind) {
                case JOIN -> assertEquals(command.get().value, answer.join());
                case GET ->
                    assertEquals(
                            command.get().value,
                            choice % 2 == 0 ? answer.get() : answer.get(choice, TimeUnit.MILLISECONDS));
                default -> answer.cancel(true);
            }
        }
    }

    private void spoil(int choice) {
        mustReplaceStage = true;
        if (choice % 2 == 0) {
            stage.urom().close();
        } else {
            stage.loseService();
        }
    }

    private void signal(String name) {
        own.stream()
                .filter(ProcessHandle::isAlive)
                .forEach(process -> Command.execute(List.of("kill", name, Long.toString(process.pid()))));
    }

    /** Completes all pending operations and checks that each future completes once. */
    private void end() throws Exception {
        var deadline = System.nanoTime() + WATCH.toNanos();
        for (var thread : threads) {
            if (!thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
                throw new AssertionError(thread.getName() + " hangs:\n" + stacks());
            }
        }
        var answers = asked.stream().map(Submitted::answer).toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(answers)
                    .handle((all, failure) -> all)
                    .get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("a future did not complete:\n" + stacks(), e);
        }
        signals.execute(() -> signal("-CONT"));
        signals.shutdown();
        assertTrue(signals.awaitTermination(WATCH.toSeconds(), TimeUnit.SECONDS), this::stacks);
        if (mustReplaceStage) {
            stage.close();
        } else {
            workers.forEach(Worker::close);
        }
        asked.forEach(FacadeThreads::check);
        assertEquals(List.of(), List.copyOf(unexpected));
    }

    private static void check(Submitted command) {
        assertEquals(1, command.completions.get());
        if (command.answer.isCompletedExceptionally()) {
            var failure = command.answer.handle((answer, thrown) -> thrown).getNow(null);
            assertTrue(isExpected(failure), failure::toString);
        } else {
            assertEquals(command.value, command.answer.getNow(null));
        }
    }

    private String stacks() {
        var text = new StringBuilder();
        Thread.getAllStackTraces().forEach((thread, frames) -> append(text, thread, frames));
        threads.stream().filter(Thread::isVirtual).forEach(thread -> append(text, thread, thread.getStackTrace()));
        return text.toString();
    }

    private static void append(StringBuilder text, Thread thread, StackTraceElement[] frames) {
        text.append(thread).append(' ').append(thread.getState()).append('\n');
        for (var frame : frames) {
            text.append("    ").append(frame).append('\n');
        }
    }
}
