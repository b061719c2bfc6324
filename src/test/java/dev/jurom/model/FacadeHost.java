// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static dev.jurom.fixture.ServiceFixture.eventually;
import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.Uninterrupted;
import dev.jurom.Urom;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.plugin.graph.GraphPlugin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * A program that uses workers through the facade, together with a model of each worker. Choices are taken
 * modulo the number of candidates.
 */
final class FacadeHost implements AutoCloseable {

    private static final int WORKERS = 3;
    private static final Executor VIRTUAL = Thread::startVirtualThread;
    private static long lastId = 5000; // of workers of a single sequence

    private final Urom urom;
    private final long sharedId;
    private final List<FacadeWorker> workers = new ArrayList<>();
    private final List<ExpectedAnswer> answers = new ArrayList<>(); // not yet checked

    FacadeHost(Urom urom, long sharedId) {
        this.urom = urom;
        this.sharedId = sharedId;
    }

    boolean hasRoom() {
        return workers.size() < WORKERS;
    }

    boolean hasWorkers() {
        return !workers.isEmpty();
    }

    boolean hasAnswers() {
        return !answers.isEmpty();
    }

    private FacadeWorker worker(int choice) {
        return workers.get(choice % workers.size());
    }

    /** Starts a worker with 1, 2 or 4 slots, mostly a shared one. */
    void start(int choice) {
        var own = choice % 4 == 0;
        var id = own ? ++lastId : sharedId;
        var configuration = WorkerConfiguration.builder(GraphPlugin.NAME)
                .id(id)
                .tasks(1 << choice % 3)
                .submitTimeout(DEADLINE);
        if (own) {
            configuration.environment(Map.of(WorkerProcess.VARIABLE, Long.toString(id)));
        }
        var worker = Uninterrupted.run(() -> urom.startWorker(configuration.build()));
        assertEquals(id, worker.id());
        assertTrue(worker.isRunning());
        workers.add(new FacadeWorker(worker, own));
    }

    /** Starts a worker and cancels the start immediately, or closes the started worker. */
    void startAndLeave(int choice) {
        var started = urom.startWorkerAsync(
                WorkerConfiguration.builder(GraphPlugin.NAME).id(sharedId).build());
        if (choice % 2 == 0) {
            started.cancel(false);
        } else {
            started.thenAccept(Worker::close)
                    .orTimeout(DEADLINE.toSeconds(), TimeUnit.SECONDS)
                    .join();
        }
    }

    void call(int choice) {
        var worker = worker(choice);
        var answer = CompletableFuture.supplyAsync(
                () -> Uninterrupted.call(worker.worker, LOOPBACK, (long) choice),
                choice % 2 == 0 ? Runnable::run : VIRTUAL);
        new ExpectedAnswer(worker, answer, choice).check();
    }

    void submit(int choice) {
        var worker = worker(choice);
        expectUnlessClosed(
                worker, choice, () -> Optional.of(Uninterrupted.submit(worker.worker, LOOPBACK, (long) choice)));
    }

    void trySubmit(int choice) {
        var worker = worker(choice);
        expectUnlessClosed(worker, choice, () -> worker.worker.trySubmit(LOOPBACK, (long) choice));
    }

    /** Submits a command whose answer is submitted again on the completion executor. */
    void submitTwice(int choice) {
        var worker = worker(choice);
        expectUnlessClosed(
                worker,
                choice + 1,
                () -> Optional.of(Uninterrupted.submit(worker.worker, LOOPBACK, (long) choice)
                        .thenCompose(value -> Uninterrupted.submit(worker.worker, LOOPBACK, value + 1))));
    }

    private void expectUnlessClosed(
            FacadeWorker worker, long value, Supplier<Optional<CompletableFuture<Long>>> submit) {
        if (worker.closed) {
            assertThrows(
                    IllegalStateException.class,
                    () -> submit.get().ifPresent(answer -> rethrow(answer.exceptionNow())));
        } else {
            var future = submit.get();
            assertTrue(future.isPresent() || hasCommands(worker), "a worker without commands is full");
            future.ifPresent(answer -> answers.add(new ExpectedAnswer(worker, answer, value)));
        }
    }

    private boolean hasCommands(FacadeWorker worker) {
        return worker.abandoned || answers.stream().anyMatch(answer -> answer.worker() == worker);
    }

    /** Expects a failed future, since a submission does not throw. */
    private static void rethrow(Throwable failure) {
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
        throw new AssertionError(failure);
    }

    void await(int choice) {
        answers.remove(choice % answers.size()).check();
    }

    void cancel(int choice) {
        var answer = answers.remove(choice % answers.size());
        if (answer.future().cancel(choice % 2 == 0)) {
            assertTrue(answer.future().isCancelled());
            answer.worker().abandoned = true;
        } else {
            answer.check();
        }
    }

    void giveUpWaiting(int choice) {
        var answer = answers.remove(choice % answers.size());
        var limited = answer.future().orTimeout(choice % 2, TimeUnit.MILLISECONDS);
        answer.checkUnlessLate(limited);
        answer.worker().abandoned = true; // it may still be executing the command
    }

    void close(int choice) {
        var worker = worker(choice);
        worker.ended = true;
        worker.closed = true;
        worker.worker.close();
        worker.worker.close();
        assertFalse(worker.worker.isRunning());
        answers.stream().filter(answer -> answer.worker() == worker).forEach(ExpectedAnswer::check);
        answers.removeIf(answer -> answer.worker() == worker);
    }

    void forgetClosed(int choice) {
        workers.removeIf(worker -> worker.closed);
    }

    void kill(int choice) {
        var worker = worker(choice);
        if (worker.own && !worker.ended) {
            worker.ended = true;
            WorkerProcess.kill(worker.worker.id());
            eventually("the exit of the worker is detected", () -> !worker.worker.isRunning());
        }
    }

    void check() {
        for (var worker : workers) {
            assertEquals(!worker.ended, worker.worker.isRunning(), worker.worker::toString);
        }
    }

    /** Checks all answers and closes the remaining workers. */
    @Override
    public void close() {
        answers.forEach(ExpectedAnswer::check);
        workers.forEach(worker -> worker.worker.close());
    }

    /** A worker and its model. */
    private static final class FacadeWorker {

        private final Worker worker;
        private final boolean own;
        private boolean ended;
        private boolean closed;
        private boolean abandoned; // commands may occupy slots whose answers nobody awaits

        FacadeWorker(Worker worker, boolean own) {
            this.worker = worker;
            this.own = own;
        }
    }

    /** The expected answer of a command, unless its worker exits meanwhile. */
    private record ExpectedAnswer(FacadeWorker worker, CompletableFuture<Long> future, long value) {

        /** Waits on the current thread, which drives the engine. */
        void check() {
            try {
                assertEquals(value, future.get(DEADLINE.toSeconds(), TimeUnit.SECONDS));
            } catch (ExecutionException e) {
                assertTrue(isLate(future) || worker.ended, () -> "the command failed with " + e);
            } catch (TimeoutException | InterruptedException e) {
                throw new AssertionError("no answer within " + DEADLINE, e);
            }
        }

        void checkUnlessLate(CompletableFuture<Long> answer) {
            try {
                assertEquals(value, answer.join());
            } catch (CompletionException e) {
                assertTrue(isLate(answer) || worker.ended, () -> "the command failed with " + e);
            }
        }

        private static boolean isLate(CompletableFuture<Long> answer) {
            return answer.isCompletedExceptionally() && answer.exceptionNow() instanceof TimeoutException;
        }
    }
}
