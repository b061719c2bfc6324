// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.Worker;
import dev.jurom.core.DocaException;
import dev.jurom.proof.runs.plan.HostPlan;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** All who join one future are woken when it is done. */
final class JoinedFuture {

    private static final int JOINERS = 3; // one drives the engine, two sleep
    private static final int ATTEMPTS = 3; // each may be late for want of a core, but not each time
    private static final int PLACE = 129; // of its commands among those of the host
    private static final long ASLEEP_NANOS = 2_000_000;
    private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    private final Worker worker;
    private final HostPlan plan;
    private final Notes notes;

    JoinedFuture(Worker worker, HostPlan plan, Notes notes) {
        this.worker = worker;
        this.plan = plan;
        this.notes = notes;
    }

    void check() throws InterruptedException {
        for (var i = 0; i < ATTEMPTS; i++) {
            if (!isSomebodyLate(i)) {
                return;
            }
        }
        notes.broken("who joins a future sleeps on when it is done, and another does not");
    }

    private boolean isSomebodyLate(int attempt) throws InterruptedException {
        var gate = new CompletableFuture<Void>();
        var joined = worker.submit(Payload.ECHO, Payload.of(plan.seed(), PLACE, attempt, 0))
                .thenCompose(answer -> gate);
        var threads = new ArrayList<Thread>();
        var returned = new long[JOINERS];
        for (var i = 0; i < JOINERS; i++) {
            var place = i;
            threads.add(Thread.ofPlatform().start(() -> {
                join(joined);
                returned[place] = System.nanoTime();
            }));
        }
        LockSupport.parkNanos(ASLEEP_NANOS);
        var done = System.nanoTime();
        gate.complete(null);
        var first = Long.MAX_VALUE;
        var last = 0L;
        for (var i = 0; i < JOINERS; i++) {
            threads.get(i).join();
            first = Math.min(first, returned[i] - done);
            last = Math.max(last, returned[i] - done);
        }
        return first < SOON_NANOS && last > LATE_NANOS;
    }

    private void join(CompletableFuture<Void> joined) {
        try {
            joined.join();
        } catch (CompletionException | DocaException | IllegalStateException e) {
            notes.refused("join", e);
        }
    }
}
