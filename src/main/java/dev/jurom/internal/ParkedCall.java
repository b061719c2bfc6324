// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.internal.CommandEvent;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The call of a virtual thread that sleeps in Java. It owns no slot: the engine thread copies the
 * response and frees the slot, whether or not the virtual thread can run.
 */
public final class ParkedCall extends CompletableFuture<CommandEnd> implements Receiver {

    private final AtomicBoolean begun = new AtomicBoolean();
    private @Nullable CommandEvent event; // of a command that was queued
    private long state; // of the use of the slot; written before it
    private volatile @Nullable Sent slot; // of the command, once it is sent
    private @Nullable CommandEnd end; // confined to the engine thread
    private volatile @Nullable Throwable failure; // completed with null: an exceptional completion needs memory

    ParkedCall() {}

    /** Submits the queued command, unless the virtual thread no longer waits. */
    @Override
    public boolean begin() {
        return begun.compareAndSet(false, true);
    }

    /** Leaves the queue. Returns false if the command was submitted. */
    boolean leaveQueue() {
        return begun.compareAndSet(false, true) && cancel(false);
    }

    @Override
    public void sent(Sent used) {
        state = used.state();
        slot = used;
    }

    @Override
    public void cancelIfOver() {
        var used = slot;
        if (used != null && isCancelled()) {
            used.cancel(state);
        }
    }

    /** Also cancels the command at the worker. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        var cancelled = super.cancel(mayInterruptIfRunning);
        cancelIfOver();
        return cancelled;
    }

    @Override
    public void record(@Nullable CommandEvent ofCommand) {
        event = ofCommand;
    }

    @Override
    public void receive(Response response, boolean isWaiting) {
        if (event != null) {
            response.record(event, !isDone());
            event = null;
        }
        if (!isDone()) {
            end = response.end();
        }
    }

    @Override
    public void deliver() {
        if (end != null) { // else the virtual thread no longer waits
            complete(end);
        }
    }

    @Override
    public void fail(Throwable reason) {
        failure = reason;
        complete(null);
    }

    /** Returns the reason why the command was not submitted; null if it was. */
    @Nullable
    Throwable failure() {
        return failure;
    }
}
