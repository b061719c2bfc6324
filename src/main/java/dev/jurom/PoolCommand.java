// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.internal.Closing.ClosedException;
import dev.jurom.internal.Deadline;
import dev.jurom.internal.Engine;
import dev.jurom.plugin.Offload;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** A command that was submitted to a pool, until its future is done. One thread at a time sends it. */
final class PoolCommand<C, R> {

    private final PoolWorkers workers;
    private final Engine engine;
    private final LongAdder repetitions;
    private final boolean repeats; // after the exit of a worker
    private final Offload<C, R> offload;
    private final C command;
    private final long begin = System.nanoTime();
    private final CompletableFuture<R> result;
    private @Nullable Deadline deadline; // null until the command is sent again: the call timeout
    private @Nullable Throwable lost; // the failure of the first attempt
    private volatile @Nullable CompletableFuture<?> attempt; // the answer of a worker, or the wait for one

    PoolCommand(
            Engine engine,
            PoolWorkers workers,
            LongAdder repetitions,
            CallOptions options,
            Offload<C, R> offload,
            C command) {
        this.engine = engine;
        this.workers = workers;
        this.repetitions = repetitions;
        this.repeats = options.isIdempotent();
        this.deadline = options.deadline();
        this.offload = offload;
        this.command = command;
        this.result = engine.newFuture(() -> attempt);
    }

    /** Sends the command. Returns the future of its answer. */
    CompletableFuture<R> submit() {
        try {
            send();
        } catch (Throwable e) { // other languages throw checked exceptions in the packing
            result.completeExceptionally(e);
        }
        return cancellable();
    }

    /** Sends the command if a worker has a free slot. */
    Optional<CompletableFuture<R>> trySubmit() {
        for (var member : workers.byLoad()) {
            try {
                var answer = member.trySubmit(deadline, offload, command);
                if (answer != null) {
                    follow(member, answer);
                    return Optional.of(cancellable());
                }
            } catch (ClosedException e) {
                workers.requireOpen(); // else the worker was replaced meanwhile
            }
        }
        return Optional.empty();
    }

    /** Cancels the current attempt when the application cancels or completes the future. */
    private CompletableFuture<R> cancellable() {
        result.whenComplete((answer, failure) -> cancelIfOver());
        return result;
    }

    private void cancelIfOver() {
        var current = attempt;
        if (current != null && result.isDone()) {
            current.cancel(false);
        }
    }

    private void send() {
        var member = workers.choose();
        if (member == null) {
            var start = workers.whenStarted(deadline);
            begin(start);
            start.whenComplete((started, failure) -> {
                if (failure == null) {
                    sendAgain();
                } else {
                    fail(failure);
                }
            });
        } else {
            follow(member, member.submit(deadline, offload, command));
        }
    }

    /** Begins an attempt, before anything depends on its end. */
    private void begin(CompletableFuture<?> current) {
        attempt = current;
        cancelIfOver();
    }

    /** Follows the answer of a worker, which counts the command until then. */
    private void follow(PoolMember member, CompletableFuture<R> answer) {
        var followed = false;
        try {
            begin(answer);
            answer.whenComplete((value, failure) -> {
                member.ended(failure == null); // before the caller, whose next command this worker may get
                if (failure == null) {
                    result.complete(value);
                } else {
                    failed(failure);
                }
            });
            followed = true;
        } finally {
            if (!followed) { // for lack of stack or memory
                member.ended(false);
            }
        }
    }

    private void failed(Throwable failure) {
        if (result.isDone()) {
            return; // the application has cancelled or completed it
        }
        if (failure instanceof ClosedException && !workers.isClosed()) {
            sendAgain(); // the worker was replaced meanwhile, and the command was not sent
        } else if (isRepeatable(failure)) {
            lost = failure;
            repetitions.increment();
            sendAgain();
        } else {
            fail(failure);
        }
    }

    private boolean isRepeatable(Throwable failure) {
        return repeats && lost == null && failure instanceof DocaException e && e.error() == DocaError.CONNECTION_RESET;
    }

    private void sendAgain() {
        if (deadline == null) {
            deadline = engine.callDeadline(begin);
        }
        try {
            send();
        } catch (Throwable e) { // other languages throw checked exceptions in the packing
            fail(e);
        }
    }

    private void fail(Throwable failure) {
        if (lost != null) {
            failure.addSuppressed(lost);
        }
        result.completeExceptionally(failure);
    }
}
