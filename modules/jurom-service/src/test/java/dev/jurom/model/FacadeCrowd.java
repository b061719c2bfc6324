// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

/** The threads of one sequence, and what they have asked for. */
final class FacadeCrowd {

    static final int THREADS = 8;

    private static final Duration MOMENT = Duration.ofMillis(2);
    private static final Duration WATCH = Duration.ofSeconds(40);

    private final FacadeStage stage;
    private final List<Worker> workers;
    private final List<ProcessHandle> own;
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Asked> asked = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> unexpected = new ConcurrentLinkedQueue<>();
    /** Signals are sent by a thread that nobody interrupts. */
    private final ExecutorService signals = Executors.newSingleThreadExecutor();

    private volatile boolean spoilt; // the stage

    /** A command that somebody has asked for. */
    private record Asked(CompletableFuture<Long> answer, long value, AtomicInteger completions) {}

    private FacadeCrowd(FacadeStage stage) {
        this.stage = stage;
        stage.open();
        var spawned = stage.spawn();
        workers = List.of(spawned, stage.connect());
        own = WorkerProcess.find(spawned.id());
        assertFalse(own.isEmpty(), "the worker's process is not found");
    }

    /** Runs each program in a thread, and looks at what has come of it. */
    static void run(FacadeStage stage, List<List<CrowdStep>> programs) throws Exception {
        var crowd = new FacadeCrowd(stage);
        crowd.start(programs);
        crowd.end();
    }

    private void start(List<List<CrowdStep>> programs) {
        for (var i = 0; i < THREADS; i++) {
            var program = programs.get(i);
            var builder = i % 2 == 0 ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
            threads.add(builder.name("crowd-" + i).unstarted(() -> program.forEach(this::take)));
        }
        threads.forEach(Thread::start);
    }

    private void take(CrowdStep step) {
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

    private void act(CrowdStep.Kind kind, int choice) throws Exception {
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
        var command = new Asked(answer, value, new AtomicInteger());
        asked.add(command);
        answer.whenComplete((result, failure) -> command.completions.incrementAndGet());
    }

    private void useAnswer(CrowdStep.Kind kind, int choice) throws Exception {
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
        spoilt = true;
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

    /** Ends what the threads have begun: it must, and each future completes once. */
    private void end() throws Exception {
        var deadline = System.nanoTime() + WATCH.toNanos();
        for (var thread : threads) {
            if (!thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
                throw new AssertionError(thread.getName() + " hangs:\n" + stacks());
            }
        }
        var answers = asked.stream().map(Asked::answer).toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(answers)
                    .handle((all, failure) -> all)
                    .get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("A future does not complete:\n" + stacks(), e);
        }
        signals.execute(() -> signal("-CONT"));
        signals.shutdown();
        assertTrue(signals.awaitTermination(WATCH.toSeconds(), TimeUnit.SECONDS), this::stacks);
        if (spoilt) {
            stage.close();
        } else {
            workers.forEach(Worker::close);
        }
        asked.forEach(FacadeCrowd::check);
        assertEquals(List.of(), List.copyOf(unexpected));
    }

    private static void check(Asked command) {
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
