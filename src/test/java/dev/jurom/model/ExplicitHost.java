// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

import static dev.jurom.testing.ServiceFixture.DEADLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.ContextState;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.testing.ServiceFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A host that uses workers through the explicit interface, beside what the model says of each:
 * every step knows its outcome before it is taken. Choices are taken modulo as many as there are.
 */
final class ExplicitHost implements AutoCloseable {

    private static final int WORKERS = 3;
    private static final int TASKS = 2;
    private static long lastId = 1000; // of workers that are a sequence's own

    private final ServiceFixture fixture;
    private final long sharedId;
    private final List<ModelWorker> workers = new ArrayList<>();

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
     * Opens a context: mostly of a worker that others use too, sometimes with a process of its own.
     */
    void open(int choice) {
        var own = choice % 3 == 0;
        var peer = choice % 6 == 1 ? workers.stream().filter(other -> other.own).findFirst()
                : java.util.Optional.<ModelWorker>empty();
        var id = own ? ++lastId : peer.map(other -> other.id).orElse(sharedId);
        var context = fixture.worker().setId(id).setMaxTasks(TASKS);
        if (own) {
            context.setEnvironment(Map.of(WorkerProcess.VARIABLE, Long.toString(id)));
        }
        workers.add(new ModelWorker(context, id, own));
    }

    void start(int choice) {
        var worker = worker(choice);
        if (!worker.tasks.isEmpty()) {
            assertThrows(IllegalStateException.class, worker.context::start);
        } else if (worker.running) {
            assertError(DocaError.BAD_STATE, worker.context::start);
        } else if (worker.own && isRunning(worker.id)) {
            assertError(DocaError.INITIALIZATION, () -> worker.context.startAndWait(DEADLINE));
        } else if (worker.own || worker.id == sharedId || isRunning(worker.id)) {
            worker.context.startAndWait(DEADLINE);
            assertEquals(worker.id, worker.context.id());
            worker.running = true;
        }
    }

    private boolean isRunning(long id) {
        return workers.stream().anyMatch(worker -> worker.id == id && worker.running);
    }

    void makeTask(int choice) {
        var worker = worker(choice);
        if (!worker.running) {
            assertError(DocaError.BAD_STATE, () -> worker.context.commandTask(fixture.graph()));
        } else if (worker.tasks.size() == TASKS) {
            assertError(DocaError.NO_MEMORY, () -> worker.context.commandTask(fixture.graph()));
        } else {
            worker.tasks.add(new ModelTask(worker, worker.context.commandTask(fixture.graph())));
        }
    }

    /** Submits a task, which submits itself again as often as asked for. */
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

    boolean hasInFlight() {
        return inFlight() > 0;
    }

    /** Progresses until one more task has completed, which says by itself whether it may. */
    void completeOne(int choice) {
        var expected = completions() + 1;
        var end = System.nanoTime() + DEADLINE.toNanos();
        while (completions() < expected) {
            var before = completions();
            var ran = fixture.engine().progress();
            assertEquals(ran ? before + 1 : before, completions());
            assertTrue(System.nanoTime() < end, "no task completes");
        }
    }

    void completeAll(int choice) {
        assertTrue(fixture.engine().progressUntil(() -> inFlight() == 0, DEADLINE),
                inFlight() + " tasks do not complete");
    }

    /** Ends nothing: what is in flight completes as it would have. */
    void flush(int choice) {
        worker(choice).context.flush();
    }

    void closeTask(int choice) {
        var task = task(choice);
        if (task.inFlight) {
            assertThrows(IllegalStateException.class, task.task::close);
        } else {
            task.close();
        }
    }

    void stop(int choice) {
        var worker = worker(choice);
        worker.expectEnd();
        worker.context.stopAndWait(DEADLINE);
        assertEquals(0, worker.flight.size(), "tasks in flight when it is idle");
    }

    /** Kills the process of a worker, if it is nobody else's. */
    void kill(int choice) {
        var victim = worker(choice);
        if (victim.id == sharedId || workers.stream().noneMatch(
                worker -> worker.own && worker.id == victim.id && worker.running)) {
            return;
        }
        var connected = workers.stream().filter(worker -> worker.id == victim.id && worker.running)
                .toList();
        connected.forEach(ModelWorker::expectEnd);
        WorkerProcess.kill(victim.id);
        for (var worker : connected) {
            assertTrue(fixture.engine().progressUntil(() -> worker.flight.isEmpty()
                    && worker.context.state() == ContextState.IDLE, DEADLINE), "it is not noticed");
        }
    }

    void close(int choice) {
        var worker = worker(choice);
        if (worker.tasks.isEmpty()) {
            worker.context.close();
            worker.context.close();
            assertThrows(IllegalStateException.class, worker.context::state);
            workers.remove(worker);
        } else {
            assertThrows(IllegalStateException.class, worker.context::close);
        }
    }

    /** Compares all that can be asked for with the model. */
    void check() {
        for (var worker : workers) {
            assertEquals(worker.running ? ContextState.RUNNING : ContextState.IDLE,
                    worker.context.state());
            assertEquals(worker.flight.size(), worker.context.tasksInFlight());
            for (var task : worker.tasks) {
                assertEquals(task.inFlight, task.task.isInFlight());
                assertEquals(task.completed, task.task.isCompleted());
            }
        }
        assertEquals(inFlight(), fixture.engine().tasksInFlight());
    }

    private int inFlight() {
        return workers.stream().mapToInt(worker -> worker.flight.size()).sum();
    }

    private long completions() {
        return workers.stream().mapToLong(worker -> worker.completions).sum();
    }

    private static void assertError(DocaError expected, Runnable action) {
        var failure = assertThrows(DocaException.class, action::run);
        assertEquals(expected, failure.error(), failure.getMessage());
    }

    /** Ends what the sequence left. */
    @Override
    public void close() {
        workers.forEach(ModelWorker::expectEnd);
        workers.forEach(worker -> worker.context.stop());
        fixture.engine().progressUntil(() -> inFlight() == 0 && workers.stream()
                .allMatch(worker -> worker.context.state() == ContextState.IDLE), DEADLINE);
        for (var worker : workers) {
            List.copyOf(worker.tasks).forEach(ModelTask::close);
            worker.context.close();
        }
    }
}
