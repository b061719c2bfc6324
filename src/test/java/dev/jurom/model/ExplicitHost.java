// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.ContextState;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.plugin.BlockingCall;
import dev.jurom.plugin.graph.GraphCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A host that uses workers through the explicit API, together with a model of each worker, which predicts the
 * outcome of every step. Choices are taken modulo the number of candidates.
 */
final class ExplicitHost implements AutoCloseable {

    private static final int WORKERS = 3;
    private static final int TASKS = 2;
    private static long lastId = 1000; // of workers of a single sequence

    private final ServiceFixture fixture;
    private final long sharedId;
    private final List<ModelWorker> workers = new ArrayList<>();
    private final Set<Long> hung = new HashSet<>(); // ids of workers with a suspended process

    ExplicitHost(ServiceFixture fixture, long sharedId) {
        this.fixture = fixture;
        this.sharedId = sharedId;
    }

    boolean hasRoom() {
        return workers.size() < WORKERS;
    }

    boolean hasWorkers() {
        return !workers.isEmpty();
    }

    boolean hasTasks() {
        return workers.stream().anyMatch(worker -> !worker.tasks.isEmpty());
    }

    private ModelWorker worker(int choice) {
        return workers.get(choice % workers.size());
    }

    private ModelTask task(int choice) {
        var tasks = workers.stream().flatMap(worker -> worker.tasks.stream()).toList();
        return tasks.get(choice % tasks.size());
    }

    /**
     * Opens a context, mostly of a shared worker, sometimes of a separate process.
     */
    void open(int choice) {
        var own = choice % 3 == 0;
        var peer = choice % 6 == 1
                ? workers.stream().filter(other -> other.own).findFirst()
                : java.util.Optional.<ModelWorker>empty();
        var id = own ? ++lastId : peer.map(other -> other.id).orElse(sharedId);
        var context = fixture.worker().setId(id).setMaxTasks(TASKS);
        if (own) {
            context.setEnvironment(WorkerProcess.environment(id));
        }
        workers.add(new ModelWorker(context, id, own));
    }

    void start(int choice) {
        var worker = worker(choice);
        if (!worker.tasks.isEmpty()) {
            assertThrows(IllegalStateException.class, worker.context::start);
        } else if (worker.running || worker.changing) {
            assertError(DocaError.BAD_STATE, worker.context::start);
        } else if (hung.contains(worker.id) || isChanging(worker.id)) {
            return; // the outcome depends on timing
        } else if (worker.own && isRunning(worker.id)) {
            assertError(DocaError.ALREADY_EXIST, () -> worker.context.startAndWait(DEADLINE));
        } else if (worker.own || worker.id == sharedId || isRunning(worker.id)) {
            worker.expectStart();
            // The shared worker keeps the ticket of an aborted start for seconds.
            if (choice == 0 || worker.own && choice % 2 == 0) {
                worker.context.start();
            } else {
                worker.context.startAndWait(DEADLINE);
                assertEquals(worker.id, worker.context.id());
            }
        }
    }

    private boolean isChanging(long id) {
        return workers.stream().anyMatch(worker -> worker.id == id && worker.changing);
    }

    private boolean isRunning(long id) {
        return workers.stream().anyMatch(worker -> worker.id == id && worker.running);
    }

    void makeTask(int choice) {
        var worker = worker(choice);
        if (!worker.running) {
            assertError(DocaError.BAD_STATE, () -> worker.context.commandTask(fixture.graph()));
        } else if (isFull(worker)) {
            assertError(DocaError.NO_MEMORY, () -> worker.context.commandTask(fixture.graph()));
        } else {
            worker.tasks.add(new ModelTask(worker, worker.context.commandTask(fixture.graph())));
        }
    }

    /** Returns whether the worker has the maximum number of tasks, including abandoned ones. */
    private static boolean isFull(ModelWorker worker) {
        return worker.tasks.size() + worker.givenUpNow() == TASKS;
    }

    /** Submits a command and waits for its answer with a sufficient, short or zero timeout. */
    void call(int choice) {
        var worker = worker(choice);
        var hangs = hung.contains(worker.id);
        var timeout = hangs || choice % 2 == 0 ? Duration.ofMillis(choice % 3) : DEADLINE;
        if (!worker.running) {
            assertError(DocaError.BAD_STATE, () -> call(worker, choice, timeout));
        } else if (isFull(worker)) {
            assertError(DocaError.NO_MEMORY, () -> call(worker, choice, timeout));
        } else {
            worker.submissions++;
            try {
                assertEquals(choice, call(worker, choice, timeout));
                assertFalse(hangs, "a suspended process has answered");
            } catch (DocaException e) {
                assertEquals(DocaError.TIME_OUT, e.error(), e.getMessage());
                assertNotEquals(DEADLINE, timeout);
                worker.givenUp++;
            }
        }
    }

    private long call(ModelWorker worker, long value, Duration timeout) {
        return BlockingCall.run(
                worker.context,
                fixture.graph(),
                task -> task.setPayloadLength(GraphCodec.packLoopback(value, task.payload())),
                task -> GraphCodec.loopbackData(task.response()),
                timeout);
    }

    /** Submits a task that resubmits itself the given number of times. */
    void submit(int choice, int repeats) {
        var task = task(choice);
        if (task.inFlight) {
            assertThrows(IllegalStateException.class, task.task::submit);
        } else if (!task.worker.running) {
            assertError(DocaError.BAD_STATE, task.task::submit);
        } else {
            task.repeats = repeats;
            task.submit(choice * 1000L);
        }
    }

    /** Returns whether a task will complete. */
    boolean hasAnswers() {
        return workers.stream()
                .anyMatch(worker -> !worker.flight.isEmpty() && !(worker.running && hung.contains(worker.id)));
    }

    /** Progresses until another task completes, which checks whether it may. */
    void completeOne(int choice) {
        var expected = completions() + 1;
        var end = System.nanoTime() + DEADLINE.toNanos();
        while (completions() < expected) {
            var before = endings();
            var ran = fixture.engine().progress();
            assertTrue(
                    endings() == (ran ? before + 1 : before)
                            || ran && endings() == before && workers.stream().anyMatch(worker -> worker.changing),
                    () -> endings() - before + " tasks have completed, progress: " + ran);
            assertTrue(System.nanoTime() < end, "no task completes");
        }
    }

    void completeAll(int choice) {
        assertTrue(fixture.engine().progressUntil(() -> !hasAnswers(), DEADLINE), "tasks do not complete");
    }

    /** Flushes; tasks in flight complete as without a flush. */
    void flush(int choice) {
        worker(choice).context.flush();
    }

    void closeTask(int choice) {
        task(choice).close();
    }

    void stop(int choice) {
        var worker = worker(choice);
        resumeMostly(choice);
        worker.expectEnd();
        if (choice % 2 == 0) {
            worker.context.stop();
        } else {
            worker.context.stopAndWait(DEADLINE);
            assertEquals(0, worker.context.tasksInFlight(), "tasks in flight in an idle context");
        }
    }

    boolean hasHung() {
        return !hung.isEmpty();
    }

    /** Suspends the process of a worker that is not shared. */
    void hang(int choice) {
        var worker = worker(choice);
        if (worker.own && worker.running && !isChanging(worker.id) && hung.add(worker.id)) {
            WorkerProcess.suspend(worker.id);
        }
    }

    void resume(int choice) {
        hung.forEach(WorkerProcess::resume);
        hung.clear();
    }

    /** Stopping the context of a suspended process blocks the host for two seconds. */
    private void resumeMostly(int choice) {
        if (choice > 1) {
            resume(choice);
        }
    }

    /** Kills the process of a worker that is not shared. */
    void kill(int choice) {
        var victim = worker(choice);
        if (victim.id == sharedId
                || workers.stream().noneMatch(worker -> worker.own && worker.id == victim.id && worker.running)) {
            return;
        }
        var connected = workers.stream()
                .filter(worker -> worker.id == victim.id && (worker.running || worker.changing))
                .toList();
        connected.forEach(ModelWorker::expectEnd);
        WorkerProcess.kill(victim.id);
        hung.remove(victim.id);
        for (var worker : connected) {
            assertTrue(
                    fixture.engine()
                            .progressUntil(
                                    () -> worker.context.tasksInFlight() == 0
                                            && worker.context.state() == ContextState.IDLE,
                                    DEADLINE),
                    "the exit was not detected");
            assertEquals(0, worker.flight.size());
        }
    }

    void close(int choice) {
        var worker = worker(choice);
        if (!worker.tasks.isEmpty()) {
            assertThrows(IllegalStateException.class, worker.context::close);
            return;
        }
        resumeMostly(choice);
        if (choice % 3 == 0 && !closesAtOnce(worker)) {
            worker.expectEnd();
            return;
        }
        worker.context.close();
        worker.context.close();
        assertThrows(IllegalStateException.class, worker.context::state);
        workers.remove(worker);
    }

    private static boolean closesAtOnce(ModelWorker worker) {
        try {
            worker.context.close(Duration.ZERO);
        } catch (DocaException e) {
            assertEquals(DocaError.TIME_OUT, e.error(), e.getMessage());
        }
        return !worker.context.isOpen();
    }

    /** Compares the observable state with the model. */
    void check() {
        for (var worker : workers) {
            worker.check();
            for (var task : worker.tasks) {
                assertEquals(task.inFlight, task.task.isInFlight());
                assertEquals(task.completed, task.task.isCompleted());
            }
        }
        assertEquals(
                workers.stream()
                        .mapToLong(worker -> worker.context.tasksInFlight())
                        .sum(),
                fixture.engine().tasksInFlight());
    }

    /** Returns the number of completed tasks, including abandoned ones. */
    private long endings() {
        return workers.stream().mapToLong(worker -> worker.submissions).sum()
                - fixture.engine().tasksInFlight();
    }

    private long completions() {
        return workers.stream().mapToLong(worker -> worker.completions).sum();
    }

    private static void assertError(DocaError expected, Runnable action) {
        var failure = assertThrows(DocaException.class, action::run);
        assertEquals(expected, failure.error(), failure.getMessage());
    }

    /** Closes everything immediately, even with tasks in flight. */
    @Override
    public void close() {
        resume(0);
        workers.forEach(ModelWorker::expectEnd);
        for (var worker : workers) {
            List.copyOf(worker.tasks).forEach(ModelTask::close);
            worker.context.close();
        }
    }
}
