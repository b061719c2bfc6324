// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.Worker;
import dev.jurom.plugin.Offload;
import dev.jurom.proof.runs.plan.HostPlan;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** Checks that all slots of a worker are free after all threads have finished. */
final class FreeSlotsCheck {

    private static final long PAUSE_NANOS = 200_000;
    private static final int INDEX = 130; // index of these commands among those of the host

    private final Worker worker;
    private final HostPlan plan;
    private final ResultRecorder results;
    private boolean occupied; // whether a slot is occupied
    private int submitted;

    FreeSlotsCheck(Worker worker, HostPlan plan, ResultRecorder results) {
        this.worker = worker;
        this.plan = plan;
        this.results = results;
    }

    void check(int slots) {
        var end = System.nanoTime() + plan.patience().toNanos();
        while (worker.isRunning() && !areFree(slots)) {
            if (System.nanoTime() - end > 0) {
                results.broken("a slot of " + worker + " is not free although no command is in flight");
                return;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private boolean areFree(int slots) {
        occupied = false;
        acquire(slots);
        return !occupied;
    }

    /** Acquires each slot while packing the previous command, so that all slots are held at once. */
    private void acquire(int slots) {
        var echo = Payload.echo(plan.workers().getFirst());
        Optional<CompletableFuture<Payload.Answer>> one = worker.trySubmit(
                Offload.of(
                        echo.plugin(),
                        echo.version(),
                        (command, payload) -> {
                            if (slots > 1) {
                                acquire(slots - 1);
                            }
                            return Payload.write(command, payload);
                        },
                        Payload.Answer::of),
                Payload.of(plan.seed(), INDEX, submitted++, 0));
        occupied |= one.isEmpty();
    }
}
