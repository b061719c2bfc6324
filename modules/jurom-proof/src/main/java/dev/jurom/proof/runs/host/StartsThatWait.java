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

/** Starts workers with dependent actions that wait for another {@code Urom}. */
final class StartsThatWait {

    private static final int STARTS = 4;
    private static final int CALLS = 8;
    private static final int MAX_BYTES = 200;
    private static final int PLACE = 128; // of its commands among those of the host

    private final Urom urom;
    private final WorkerConfiguration started;
    private final Worker other;
    private final HostPlan plan;
    private final Notes notes;

    StartsThatWait(Urom urom, WorkerConfiguration started, Worker other, HostPlan plan, Notes notes) {
        this.urom = urom;
        this.started = started;
        this.other = other;
        this.plan = plan;
        this.notes = notes;
    }

    void run() {
        for (var i = 0; i < STARTS && other.isRunning() && !notes.isLate(); i++) {
            try {
                urom.startWorkerAsync(started)
                        .thenApply(this::useTheOther)
                        .get(2 * plan.patience().toMillis(), TimeUnit.MILLISECONDS)
                        .close();
            } catch (TimeoutException e) {
                notes.late();
            } catch (ExecutionException | InterruptedException | DocaException | IllegalStateException e) {
                notes.refused("start", e);
            }
        }
    }

    private Worker useTheOther(Worker worker) {
        try {
            for (var i = 0; i < CALLS; i++) {
                other.call(Payload.ECHO, Payload.of(plan.seed(), PLACE, i, MAX_BYTES));
            }
        } catch (InterruptedException e) {
            return worker; // this runs in a thread of the crowd
        } catch (DocaException | IllegalStateException e) {
            notes.refused("call", e);
        }
        return worker;
    }
}
