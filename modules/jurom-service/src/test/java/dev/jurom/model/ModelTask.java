// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.urom.CommandTask;
import java.lang.foreign.ValueLayout;

/** A command task, and what the model says of it. */
final class ModelTask {

    private static final int FAILED_RESPONSE = 64; // bytes of a response there are at least

    final ModelWorker worker;
    final CommandTask task;

    boolean inFlight;
    boolean completed;
    boolean mayFail; // as its worker ends
    int repeats; // of the submission, from inside the callback
    private long value;

    ModelTask(ModelWorker worker, CommandTask task) {
        this.worker = worker;
        this.task = task.onCompletion(done -> complete());
    }

    void submit(long newValue) {
        value = newValue;
        task.setPayloadLength(GraphCodec.packLoopback(value, task.payload()));
        task.submit();
        worker.submissions++;
        inFlight = true;
        completed = false;
        mayFail = false;
        worker.flight.add(this);
    }

    private void complete() {
        if (!mayFail) {
            assertSame(worker.flight.getFirst(), this, "completions keep the order of submission");
        }
        assertTrue(worker.flight.remove(this), "it completes once for each submission");
        worker.completions++;
        inFlight = false;
        completed = true;
        if (task.status().isSuccess()) {
            assertEquals(value, GraphCodec.loopbackData(task.response()));
        } else {
            assertTrue(mayFail, () -> "it failed with " + task.status());
            assertTrue(task.response().byteSize() >= FAILED_RESPONSE);
        }
        if (repeats > 0 && worker.running) {
            repeats--;
            submit(value + 1);
        }
    }

    /** Closes it in whatever state it is: in flight, it is given up and nothing is heard of it. */
    void close() {
        var view = task.payload();
        if (worker.flight.remove(this)) {
            worker.givenUp++;
        }
        task.close();
        task.close();
        worker.tasks.remove(this);
        assertFalse(task.isOpen());
        assertThrows(IllegalStateException.class, () -> view.get(ValueLayout.JAVA_BYTE, 0));
    }
}
