// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

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
    long completions;

    ModelWorker(UromWorker context, long id, boolean own) {
        this.context = context;
        this.id = id;
        this.own = own;
    }

    /** It is about to end: what is in flight may fail, and nothing is submitted any more. */
    void expectEnd() {
        running = false;
        flight.forEach(task -> task.mayFail = true);
    }
}
