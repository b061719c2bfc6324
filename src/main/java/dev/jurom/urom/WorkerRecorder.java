// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import dev.jurom.core.ContextState;
import org.jspecify.annotations.Nullable;

/** Records the starts and stops of a worker context as events of the JDK's flight recorder. */
final class WorkerRecorder {

    private final UromWorker worker;
    /** Of the start or stop under way, when a recording wants it. */
    private @Nullable WorkerEvent event;

    WorkerRecorder(UromWorker worker) {
        this.worker = worker;
    }

    /** The context has changed its state. */
    void changed(ContextState next) {
        switch (next) {
            case STARTING -> begin(new WorkerStartEvent());
            case RUNNING -> end(true);
            case STOPPING -> begin(new WorkerStopEvent());
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
