// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.internal.CommandEvent;
import dev.jurom.core.internal.SharedEngine;
import dev.jurom.plugin.Offload;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The future of a command's answer. The first of three events determines its outcome: the response, a failed
 * submission, or the deadline. Its completion is passed to the executor once.
 *
 * @param <R> the type of the answer
 */
public final class PendingAnswer<R> extends EngineFuture<R> implements Receiver {

    private final Offload<?, R> offload;
    private final Function<CommandEnd, RuntimeException> failures;
    private final AtomicBoolean settled = new AtomicBoolean(); // the outcome is determined
    private volatile @Nullable Object outcome; // a CommandEnd, Unpacked or Throwable
    private volatile boolean delivered; // the executor or the list of retries has this
    private FutureDeadlines.@Nullable Expiry expiry; // null if the call timeout applies
    private @Nullable Deadline callDeadline; // set by the first sweep; confined to the engine thread
    private @Nullable CommandEvent event;
    private long state; // of the use of the slot; written before it
    private volatile @Nullable Sent slot; // of the command, once it is sent

    /** An answer that was unpacked where it arrived. */
    private record Unpacked(@Nullable Object answer) {}

    PendingAnswer(Deliveries deliveries, Offload<?, R> offload, Function<CommandEnd, RuntimeException> failures) {
        super(deliveries);
        this.offload = offload;
        this.failures = failures;
    }

    /** Sets an individual deadline, before the command is submitted or queued. */
    void failAt(Deadline deadline, Object command) {
        expiry = deliveries.deadlines().add(deadline, command, this::expire);
    }

    /** Fails this if it has no individual deadline and the call timeout has passed since the first sweep. */
    void sweep(Duration callTimeout, Object command) {
        if (expiry != null || settled.get()) {
            return;
        }
        if (callDeadline == null) {
            callDeadline = Deadline.in(callTimeout);
        } else if (callDeadline.remaining() == 0) {
            expire(callDeadline.failure(command));
        }
    }

    private void expire(Throwable reason) {
        fail(reason);
        cancelIfOver();
    }

    @Override
    public void sent(Sent used) {
        state = used.state();
        slot = used;
    }

    /** If the command is done, the engine ignores this. */
    @Override
    public void cancelIfOver() {
        var used = slot;
        if (used != null && (settled.get() || isDone())) {
            used.cancel(state);
        }
    }

    private boolean cancelUnlessSettled(boolean completed) {
        if (completed && !settled.get()) { // by the application, which does not need the answer
            cancelIfOver();
        }
        return completed;
    }

    /** Also cancels the command at the worker. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return cancelUnlessSettled(super.cancel(mayInterruptIfRunning));
    }

    @Override
    public boolean complete(@Nullable R answer) {
        return cancelUnlessSettled(super.complete(answer));
    }

    @Override
    public boolean completeExceptionally(Throwable reason) {
        return cancelUnlessSettled(super.completeExceptionally(reason));
    }

    @Override
    public boolean begin() {
        return !isDone();
    }

    @Override
    public void record(@Nullable CommandEvent begun) {
        event = begun;
    }

    @Override
    public void receive(Response response, boolean isWaiting) {
        var isWanted = !settled.get() && !isDone();
        if (event != null) {
            response.record(event, isWanted);
            event = null;
        }
        if (isWanted) {
            settle(outcome(response, isWaiting));
        }
    }

    @Override
    public void fail(Throwable reason) {
        if (settle(reason)) {
            deliver();
        }
    }

    private Object outcome(Response response, boolean isWaiting) {
        if (!response.isSuccess() || !isWaiting && !offload.unpacksAtOnce()) {
            return response.end();
        }
        try {
            return new Unpacked(offload.unpack(response.response()));
        } catch (Throwable e) { // other languages throw checked exceptions here
            return e;
        }
    }

    private boolean settle(Object result) {
        var first = settled.compareAndSet(false, true);
        if (first) {
            outcome = result;
        }
        return first;
    }

    /** Receives the response, and completes this if no action depends on it. */
    @Override
    void drive(long nanoseconds) {
        var used = slot;
        if (used == null || SharedEngine.isStackLow()) {
            return; // it is queued, or this thread could not unpack the answer
        }
        try {
            if (outcome == null) {
                var limit = expiry == null
                        ? nanoseconds
                        : Math.min(nanoseconds, expiry.deadline().remaining());
                var isBrief = isBrief();
                used.await(state, isBrief ? Math.min(limit, Sent.BRIEF) : limit, !isBrief);
            }
            if (outcome != null && getNumberOfDependents() == 0) {
                delivered = true;
                run();
            }
        } finally {
            if (outcome != null) {
                deliver();
            }
        }
    }

    /** Returns whether the current thread should not wait in C: others need its carrier or its place in a pool. */
    private static boolean isBrief() {
        var thread = Thread.currentThread();
        return thread.isVirtual() || thread instanceof ForkJoinWorkerThread;
    }

    @Override
    public void deliver() {
        if (!delivered && outcome != null) {
            deliveries.deliver(this);
            delivered = true;
        }
        if (expiry != null) {
            deliveries.deadlines().remove(expiry);
        }
    }

    @Override
    @SuppressWarnings("unchecked") // unpacked by the same offload
    void finish() {
        switch (Objects.requireNonNull(outcome)) {
            case Throwable failed -> completeExceptionally(failed);
            case Unpacked unpacked -> complete((R) unpacked.answer());
            case CommandEnd end -> finish(end);
            default -> throw new AssertionError(outcome);
        }
    }

    private void finish(CommandEnd end) {
        R answer;
        try {
            if (!end.error().isSuccess()) {
                throw failures.apply(end);
            }
            answer = offload.unpack(end.response());
        } catch (Throwable e) { // other languages throw checked exceptions here
            completeExceptionally(e);
            return;
        }
        complete(answer);
    }
}
