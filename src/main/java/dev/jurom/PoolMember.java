// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.internal.Batch;
import dev.jurom.internal.Deadline;
import dev.jurom.plugin.Offload;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A running worker of a pool of several workers, with the number of its commands. Thread-safe. */
final class PoolMember implements PoolCandidate {

    private final Worker worker;
    private final AtomicInteger inFlight = new AtomicInteger(); // with callers that wait for the answer
    private volatile boolean abandoned; // commands may be in flight whose callers have given up

    PoolMember(Worker worker) {
        this.worker = worker;
    }

    Worker worker() {
        return worker;
    }

    @Override
    public boolean isRunning() {
        return worker.isRunning();
    }

    @Override
    public int load() {
        var load = inFlight.get();
        if (abandoned) {
            abandoned = false; // before the count, during which further commands may be abandoned
            var left = worker.abandoned();
            if (left > 0) {
                abandoned = true;
            }
            load += left;
        }
        return load;
    }

    /** Adds a command that is about to be sent, until it {@linkplain #ended has ended}. */
    void begin() {
        inFlight.incrementAndGet();
    }

    /** Removes a command. If its caller has given up, the worker remains occupied. */
    void ended(boolean answered) {
        if (!answered) {
            abandoned = true;
        }
        inFlight.decrementAndGet();
    }

    <C, R> R call(@Nullable Deadline deadline, Offload<C, R> offload, C command) throws InterruptedException {
        var answered = false;
        begin();
        try {
            var answer = worker.callBy(deadline, offload, command);
            answered = true;
            return answer;
        } finally {
            ended(answered);
        }
    }

    /** Submits a command. The caller calls {@link #ended} when its future is done. */
    <C, R> CompletableFuture<R> submit(@Nullable Deadline deadline, Offload<C, R> offload, C command) {
        return Objects.requireNonNull(count(() -> worker.submitBy(deadline, offload, command)));
    }

    /** Submits a command as {@link #submit} does if a slot is free; else returns null. */
    @Nullable
    <C, R> CompletableFuture<R> trySubmit(@Nullable Deadline deadline, Offload<C, R> offload, C command) {
        return count(() -> worker.trySubmitBy(deadline, offload, command).orElse(null));
    }

    /**
     * Submits commands of a batch in free slots.
     *
     * @return the number of commands; 0 also if the worker accepts none
     */
    <C> int submit(Batch batch, Offload<C, ?> offload, List<? extends C> commands, int first, int limit) {
        var length = worker.isRunning() ? worker.submit(batch, offload, commands, first, limit) : 0;
        for (var i = 0; i < length; i++) {
            begin();
        }
        return length;
    }

    /** Counts a command if there is a future of its answer. */
    private <R> @Nullable CompletableFuture<R> count(Supplier<@Nullable CompletableFuture<R>> submission) {
        CompletableFuture<R> answer = null;
        begin();
        try {
            answer = submission.get();
        } finally {
            if (answer == null) {
                ended(true);
            }
        }
        return answer;
    }
}
