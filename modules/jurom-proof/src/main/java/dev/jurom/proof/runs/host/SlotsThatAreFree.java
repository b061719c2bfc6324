// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.Worker;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.proof.runs.plan.HostPlan;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** When nobody gives commands any more, all slots of a worker are free again. */
final class SlotsThatAreFree {

    private static final long PAUSE_NANOS = 200_000;
    private static final int PLACE = 130; // of its commands among those of the host

    private final Worker worker;
    private final HostPlan plan;
    private final Notes notes;
    private boolean taken; // one of them, by somebody else
    private int given;

    SlotsThatAreFree(Worker worker, HostPlan plan, Notes notes) {
        this.worker = worker;
        this.plan = plan;
        this.notes = notes;
    }

    void check(int slots) {
        var end = System.nanoTime() + plan.patience().toNanos();
        while (worker.isRunning() && !areFree(slots)) {
            if (System.nanoTime() - end > 0) {
                notes.refused(
                        "slots",
                        new DocaException(
                                DocaError.FULL,
                                "trySubmit",
                                worker.toString(),
                                "Some are not free though nobody has them."));
                return;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private boolean areFree(int slots) {
        taken = false;
        take(slots);
        return !taken;
    }

    /** Takes the next slot while the last one is being packed, and so has all at once. */
    private void take(int slots) {
        Optional<CompletableFuture<Payload.Answer>> one = worker.trySubmit(
                Offload.of(
                        GraphPlugin.NAME,
                        GraphPlugin.VERSION,
                        (command, payload) -> {
                            if (slots > 1) {
                                take(slots - 1);
                            }
                            return Payload.write(command, payload);
                        },
                        Payload.Answer::of),
                Payload.of(plan.seed(), PLACE, given++, 0));
        taken |= one.isEmpty();
    }
}
