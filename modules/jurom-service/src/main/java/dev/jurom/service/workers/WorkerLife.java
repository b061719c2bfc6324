// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.core.DocaError;
import dev.jurom.service.counters.CounterFile;
import dev.jurom.service.threads.Timers;
import dev.jurom.service.wire.Frame;
import java.time.Duration;

/** Forwards the events of a worker's process, which must be ready in time. */
final class WorkerLife implements WorkerProcess.Listener {

    private final SpawnedWorker worker;
    private final Workers workers;
    private final Duration deadline;
    private final Timers.Timer timer;

    WorkerLife(SpawnedWorker worker, Workers workers, Timers timers, Duration deadline) {
        this.worker = worker;
        this.workers = workers;
        this.deadline = deadline;
        this.timer = timers.after(deadline, this::startTakesTooLong);
    }

    private void startTakesTooLong() {
        workers.refuse(
                worker,
                DocaError.TIME_OUT,
                worker + " was not ready after " + deadline.toMillis() + " ms and has been killed");
        worker.process().kill("was not ready in time");
    }

    @Override
    public void ready() {
        timer.cancel();
        workers.ready(worker);
    }

    @Override
    public void failed(DocaError error, String why) {
        timer.cancel();
        workers.refuse(worker, error, why);
    }

    @Override
    public boolean received(Frame frame) {
        return switch (frame) {
            case Frame.Pong pong -> worker.heartbeat().answered(pong);
            case Frame.Listening listening -> workers.answered(worker, listening);
            case Frame.Failure failure -> workers.answered(worker, failure);
            default -> false;
        };
    }

    @Override
    public void counted(CounterFile counters) {
        workers.counted(counters);
    }

    @Override
    public void ended(WorkerEnd end) {
        timer.cancel();
        workers.ended(worker, end);
    }
}
