// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import static dev.jurom.internal.Receiver.Sent.BRIEF;
import static dev.jurom.internal.Receiver.Sent.UNINTERRUPTED;

import dev.jurom.core.DocaException;
import dev.jurom.core.internal.CommandEvent;
import dev.jurom.core.internal.SharedEngine;
import dev.jurom.core.internal.Timeout;
import dev.jurom.plugin.Offload;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Submits commands of a worker and waits for them, on the threads of the application. A platform thread waits
 * in C, where it drives the engine or sleeps. A virtual thread drives for a short time, since it occupies its
 * carrier meanwhile, and then leaves its commands to the engine thread. This class is thread-safe.
 */
public final class Calls {

    private static final long MAX_PARK = 1_000_000_000;
    private static final long SOON = 10_000; // nanoseconds: more than a short command takes

    private final SharedEngine shared;
    private final CommandSlots slots;
    private final Deliveries deliveries;
    private final Object command; // names a command in a time-out
    private final Duration callTimeout;
    private final long callNanos;
    private final long spinNanos;

    Calls(SharedEngine shared, CommandSlots slots, Deliveries deliveries, Duration callTimeout, long spinNanos) {
        this.shared = shared;
        this.slots = slots;
        this.deliveries = deliveries;
        this.command = slots.command();
        this.callTimeout = callTimeout;
        this.callNanos = Timeout.nanos(callTimeout);
        this.spinNanos = spinNanos;
    }

    /**
     * Submits the command of a slot and waits until it is done. If the current thread is virtual, it may leave the
     * command, and the slot, to the engine thread.
     *
     * @param slot the slot
     * @param deadline the deadline of the command; null for the call timeout
     * @return null if the command is done; else the call to {@linkplain #await(ParkedCall, Deadline) await}, which
     *         has taken over the slot
     * @throws DocaException with {@code TIME_OUT} if it is not done in time; release the slot all the same
     * @throws InterruptedException if the current thread is interrupted while waiting
     */
    public @Nullable ParkedCall call(CommandSlot slot, @Nullable Deadline deadline) throws InterruptedException {
        var nanos = callNanos;
        if (deadline != null) {
            nanos = deadline.remaining(); // read once, since a read of the clock takes a tenth of a call
            slot.setTimeout(nanos);
        }
        if (Thread.currentThread().isVirtual()) {
            return shared.call(slot.command, Math.min(nanos, BRIEF), Math.min(spinNanos, BRIEF), 0)
                    ? null
                    : leave(slot);
        }
        if (!shared.call(slot.command, Math.min(nanos, UNINTERRUPTED), spinNanos, 1)) {
            await(slot, deadline != null ? deadline : deadlineIn(callNanos - UNINTERRUPTED));
        }
        return null;
    }

    /**
     * Returns the deadline of a command that begins now and has no timeout of its own.
     *
     * @return the deadline, after the call timeout
     */
    public Deadline usualDeadline() {
        return deadlineIn(callNanos);
    }

    private Deadline deadlineIn(long nanoseconds) {
        return new Deadline(System.nanoTime() + nanoseconds, callTimeout);
    }

    /** Submits the linked commands of slots that the current thread then awaits or releases. Never blocks. */
    void begin(CommandSlot first) {
        shared.begin(first.command);
    }

    /**
     * Waits until linked commands are done, at most until their deadline or for the call timeout. Returns false if the
     * current thread is virtual and has driven for long enough.
     */
    boolean drive(CommandSlot first, @Nullable Deadline deadline) throws InterruptedException {
        if (Thread.currentThread().isVirtual()) {
            var nanos = deadline == null ? callNanos : deadline.remaining();
            return shared.await(first.command, Math.min(nanos, BRIEF), Math.min(spinNanos, BRIEF), 0);
        }
        await(first, deadline != null ? deadline : usualDeadline());
        return true;
    }

    /** Waits for a few microseconds, at most until the deadline, and returns whether linked commands are done. */
    boolean driveBriefly(CommandSlot first, @Nullable Deadline deadline) {
        var nanos = deadline == null ? SOON : Math.min(SOON, deadline.remaining());
        return nanos > 0 && shared.await(first.command, nanos, SOON, 0);
    }

    private void await(CommandSlot first, Deadline deadline) throws InterruptedException {
        long remaining;
        do {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            remaining = deadline.remaining();
            if (remaining == 0) {
                throw deadline.failure(command);
            }
        } while (!shared.await(first.command, Math.min(remaining, UNINTERRUPTED), spinNanos, 1));
    }

    /** Leaves the command of a slot to the engine thread. Returns null if it is done and remains the caller's. */
    @Nullable
    ParkedCall leave(CommandSlot slot) {
        var parked = new ParkedCall();
        parked.sent(slot);
        slot.receiver = parked;
        slot.owner = null;
        if (SharedEngine.leave(slot.command, false)) {
            return parked;
        }
        slot.receiver = null;
        slot.owner = Thread.currentThread();
        return null;
    }

    /**
     * Waits for a command that was left to the engine thread.
     *
     * @param parked the call
     * @param deadline the deadline of the command; null for the call timeout
     * @return the outcome of the command
     * @throws DocaException with {@code TIME_OUT} if it is not done in time
     * @throws InterruptedException if the current thread is interrupted while waiting
     */
    public CommandEnd await(ParkedCall parked, @Nullable Deadline deadline) throws InterruptedException {
        var last = deadline != null ? deadline : deadlineIn(callNanos);
        try {
            while (true) {
                try {
                    var end = parked.get(Math.min(last.remaining(), MAX_PARK), TimeUnit.NANOSECONDS);
                    if (parked.failure() != null) {
                        throw Deadline.inCurrentThread(parked.failure());
                    }
                    return end;
                } catch (TimeoutException e) {
                    if (last.remaining() == 0) {
                        throw last.failure(command);
                    }
                } catch (ExecutionException e) {
                    throw new AssertionError("a parked call completes without an exception", e);
                }
            }
        } finally {
            parked.cancel(false);
        }
    }

    /**
     * Queues a packed command for a virtual thread and waits until it is done.
     *
     * @param offload the kind of command
     * @param plugin the id of its plugin
     * @param type the type of the command, which names it in a failure
     * @param packed the packed command
     * @param submitNanos maximum time to wait for a slot, in nanoseconds
     * @param deadline the deadline of the command; null for the call timeout, which begins after that time
     * @return the outcome of the command; null if no slot became free in time
     * @throws DocaException with {@code TIME_OUT} if it is not done in time
     * @throws InterruptedException if the current thread is interrupted while waiting
     */
    public @Nullable CommandEnd callQueued(
            Offload<?, ?> offload,
            long plugin,
            Class<?> type,
            MemorySegment packed,
            long submitNanos,
            @Nullable Deadline deadline)
            throws InterruptedException {
        var parked = new ParkedCall();
        slots.queue(parked, offload, plugin, type, packed, deadline);
        try {
            var submitted = deadlineIn(submitNanos);
            while (!parked.isDone() && submitted.remaining() > 0) {
                try {
                    parked.get(Math.min(submitted.remaining(), MAX_PARK), TimeUnit.NANOSECONDS);
                } catch (TimeoutException | ExecutionException e) {
                    // Checked below.
                }
            }
        } catch (InterruptedException e) {
            parked.leaveQueue();
            parked.cancel(false);
            throw e;
        }
        return parked.isDone() || !parked.leaveQueue() ? await(parked, deadline) : null;
    }

    /**
     * Creates a future for a command.
     *
     * @param <R> the type of the answer
     * @param offload the kind of command
     * @param failures creates the exception of a command that failed, on a thread of the executor
     * @return the future, whose command is to be submitted or queued
     */
    public <R> PendingAnswer<R> answer(Offload<?, R> offload, Function<CommandEnd, RuntimeException> failures) {
        return new PendingAnswer<>(deliveries, offload, failures);
    }

    /**
     * Submits the command of a slot, which the engine thread receives and releases. Never blocks.
     *
     * @param slot the slot, which is no longer the caller's
     * @param answer the future
     * @param deadline when the future fails with {@code TIME_OUT}; null for the call timeout
     * @param event the event of the command; null if no recording enables it
     */
    public void submit(
            CommandSlot slot, PendingAnswer<?> answer, @Nullable Deadline deadline, @Nullable CommandEvent event) {
        if (deadline != null) {
            answer.failAt(deadline, command);
        }
        answer.record(event);
        slot.setDeadline(deadline);
        answer.sent(slot);
        slot.receiver = answer;
        slot.owner = null;
        shared.submit(slot.command);
    }

    /**
     * Queues a packed command, which is submitted once a slot is free. Never blocks.
     *
     * @param answer the future; the command is not submitted if it is done before
     * @param offload the kind of command
     * @param plugin the id of its plugin
     * @param type the type of the command, which names it in a failure
     * @param packed the packed command
     * @param deadline when the future fails with {@code TIME_OUT}; null for the call timeout
     */
    public void queue(
            PendingAnswer<?> answer,
            Offload<?, ?> offload,
            long plugin,
            Class<?> type,
            MemorySegment packed,
            @Nullable Deadline deadline) {
        answer.failAt(deadline != null ? deadline : usualDeadline(), command);
        slots.queue(answer, offload, plugin, type, packed, deadline);
    }
}
