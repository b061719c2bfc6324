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

/** A command task and its model. */
final class ModelTask {

    private static final int FAILED_RESPONSE = 64; // minimum bytes of a response

    final ModelWorker worker;
    final CommandTask task;

    boolean inFlight;
    boolean completed;
    boolean mayFail; // because its worker is stopping
    int repeats; // number of resubmissions in the callback
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
        assertTrue(worker.flight.remove(this), "the task completes once per submission");
        worker.completions++;
        inFlight = false;
        completed = true;
        if (task.status().isSuccess()) {
            assertEquals(value, GraphCodec.loopbackData(task.response()));
        } else {
            assertTrue(mayFail, () -> "the task failed with " + task.status());
            assertTrue(task.response().byteSize() >= FAILED_RESPONSE);
        }
        if (repeats > 0 && worker.running) {
            repeats--;
            submit(value + 1);
        }
    }

    /** Closes the task in any state; in flight, it is abandoned and its callback is not called. */
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
