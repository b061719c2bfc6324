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

/** A worker context, and what the model says of it. */
final class ModelWorker {

    final UromWorker context;
    final long id;
    final boolean own; // the process is this sequence's, and has the variable to find it by

    final List<ModelTask> tasks = new ArrayList<>();
    final Deque<ModelTask> flight = new ArrayDeque<>(); // in the order of submission
    boolean running;
    boolean changing; // it is starting, or else on its way to be idle
    long submissions;
    long completions; // that were heard of
    long givenUp; // tasks of that kind that were in flight when last looked
    private boolean starting;

    ModelWorker(UromWorker context, long id, boolean own) {
        this.context = context;
        this.id = id;
        this.own = own;
    }

    /** It was told to start. */
    void expectStart() {
        changing = true;
        starting = true;
    }

    /** It is about to end: what is in flight may fail, and nothing is submitted any more. */
    void expectEnd() {
        changing = true;
        starting = false;
        running = false;
        flight.forEach(task -> task.mayFail = true);
    }

    /** How many tasks it has in flight that nobody holds. */
    long givenUpNow() {
        return context.tasksInFlight() - flight.size();
    }

    /** Compares the context with the model, which learns how far a start or stop has come. */
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
        assertTrue(0 <= now && now <= givenUp, () -> now + " of " + givenUp + " are given up");
        givenUp = now;
    }
}
