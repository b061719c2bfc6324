// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.Urom;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaException;
import dev.jurom.proof.runs.plan.HostPlan;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Starts workers asynchronously, with dependent actions that call a worker of another {@code Urom}. */
final class DependentStarts {

    private static final int STARTS = 4;
    private static final int CALLS = 8;
    private static final int MAX_BYTES = 200;
    private static final int INDEX = 128; // index of these commands among those of the host

    private final Urom urom;
    private final WorkerConfiguration started;
    private final Worker other;
    private final HostPlan plan;
    private final ResultRecorder results;

    DependentStarts(Urom urom, WorkerConfiguration started, Worker other, HostPlan plan, ResultRecorder results) {
        this.urom = urom;
        this.started = started;
        this.other = other;
        this.plan = plan;
        this.results = results;
    }

    void run() {
        for (var i = 0; i < STARTS && other.isRunning() && !results.isLate(); i++) {
            try {
                urom.startWorkerAsync(started)
                        .thenApply(this::callOtherWorker)
                        .get(2 * plan.patience().toMillis(), TimeUnit.MILLISECONDS)
                        .close();
            } catch (TimeoutException e) {
                results.late();
            } catch (ExecutionException | InterruptedException | DocaException | IllegalStateException e) {
                results.refused("start", e);
            }
        }
    }

    private Worker callOtherWorker(Worker worker) {
        try {
            for (var i = 0; i < CALLS; i++) {
                other.call(Payload.ECHO, Payload.of(plan.seed(), INDEX, i, MAX_BYTES));
            }
        } catch (InterruptedException e) {
            return worker; // another caller interrupted this thread
        } catch (DocaException | IllegalStateException e) {
            results.refused("call", e);
        }
        return worker;
    }
}
