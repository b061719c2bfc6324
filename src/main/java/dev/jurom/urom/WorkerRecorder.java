// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import dev.jurom.core.ContextState;
import org.jspecify.annotations.Nullable;

/** Records the starts and stops of a worker context as events of JDK Flight Recorder. */
final class WorkerRecorder {

    private final UromWorker worker;
    /** The event of the current start or stop, if a recording enables it. */
    private @Nullable WorkerEvent event;

    WorkerRecorder(UromWorker worker) {
        this.worker = worker;
    }

    /** Called when the context has changed its state. */
    void changed(ContextState next) {
        switch (next) {
            case STARTING -> begin(new WorkerStartEvent());
            case RUNNING -> end(true);
            case STOPPING -> {
                end(false); // the start, if it was stopped
                begin(new WorkerStopEvent());
            }
            case IDLE -> end(false);
        }
    }

    private void begin(WorkerEvent begun) {
        if (begun.isEnabled()) {
            begun.begin();
            begun.worker = worker.id();
            event = begun;
        }
    }

    private void end(boolean running) {
        if (event != null) {
            if (event instanceof WorkerStartEvent start) {
                start.running = running;
                start.worker = worker.id();
            }
            event.commit();
            event = null;
        }
    }
}
