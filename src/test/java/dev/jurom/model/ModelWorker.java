// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.ContextState;
import dev.jurom.urom.UromWorker;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A worker context and its model. */
final class ModelWorker {

    final UromWorker context;
    final long id;
    final boolean own; // the process belongs to this sequence and is marked by a variable

    final List<ModelTask> tasks = new ArrayList<>();
    final Deque<ModelTask> flight = new ArrayDeque<>(); // in the order of submission
    boolean running;
    boolean changing; // starting or stopping
    long submissions;
    long completions; // reported to callbacks
    long givenUp; // abandoned tasks in flight at the last check
    private boolean starting;

    ModelWorker(UromWorker context, long id, boolean own) {
        this.context = context;
        this.id = id;
        this.own = own;
    }

    /** Records that the context was started. */
    void expectStart() {
        changing = true;
        starting = true;
    }

    /** Records that the context is stopping: tasks in flight may fail, and no more are submitted. */
    void expectEnd() {
        changing = true;
        starting = false;
        running = false;
        flight.forEach(task -> task.mayFail = true);
    }

    /** Returns the number of abandoned tasks in flight. */
    long givenUpNow() {
        return context.tasksInFlight() - flight.size();
    }

    /** Compares the context with the model, and updates the progress of a start or stop. */
    void check() {
        var state = context.state();
        if (changing && state != (starting ? ContextState.STARTING : ContextState.STOPPING)) {
            changing = false;
            running = starting;
        }
        if (!changing) {
            assertEquals(running ? ContextState.RUNNING : ContextState.IDLE, state);
        }
        var now = givenUpNow();
        assertTrue(0 <= now && now <= givenUp, () -> now + " of " + givenUp + " are abandoned");
        givenUp = now;
    }
}
