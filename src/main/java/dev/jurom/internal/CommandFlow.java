// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The way of commands: queued by any thread, then handed to the library, completed by it, and
 * answered, all by the leader. Completing a future runs what depends on it, which may have its
 * thread lead on: so each command is taken from its list before its future is completed.
 */
final class CommandFlow {

    private final CommandQueue queue = new CommandQueue();
    private final AtomicInteger pending = new AtomicInteger(); // queued or in flight

    // The leader's own.
    private CommandSlot taken; // from the queue, and not handed over yet
    private CommandSlot firstCompleted;
    private CommandSlot lastCompleted;

    /** Queues a command. Any thread may do so. */
    void add(CommandSlot slot) {
        pending.incrementAndGet();
        queue.add(slot);
    }

    /** How many are queued or in flight. */
    int pending() {
        return pending.get();
    }

    /** Whether any is queued. */
    boolean isQueued() {
        return !queue.isEmpty();
    }

    /** Hands all that are queued to the library; whether there was any. */
    boolean submitQueued() {
        if (taken == null) {
            taken = queue.takeAll();
        }
        var worked = taken != null;
        for (var slot = taken; slot != null; slot = taken) {
            taken = slot.next;
            slot.next = null;
            handOver(slot);
        }
        return worked;
    }

    private void handOver(CommandSlot slot) {
        if (slot.future.isDone()) {
            abandon(slot, null); // it was cancelled
            return;
        }
        try {
            slot.worker.requireRunning();
            slot.task.setPlugin(slot.plugin).setPayloadLength(slot.length).submit();
        } catch (RuntimeException e) {
            abandon(slot, e);
        }
    }

    /** Ends a command that was not handed over. */
    private void abandon(CommandSlot slot, RuntimeException reason) {
        pending.decrementAndGet();
        var future = slot.future;
        slot.future = null;
        slot.worker.give(slot);
        if (reason != null) {
            future.fail(reason);
        }
    }

    /** A command has completed, inside a progress of the leader: it is answered afterwards. */
    void completed(CommandSlot slot) {
        slot.next = null;
        if (firstCompleted == null) {
            firstCompleted = slot;
        } else {
            lastCompleted.next = slot;
        }
        lastCompleted = slot;
    }

    /** Answers all that have completed. */
    void finishCompleted() {
        for (var slot = firstCompleted; slot != null; slot = firstCompleted) {
            firstCompleted = slot.next;
            finish(slot);
        }
    }

    private void finish(CommandSlot slot) {
        pending.decrementAndGet();
        var future = slot.future;
        slot.future = null;
        if (slot.task.status().isSuccess()) {
            future.answer(slot);
        } else {
            var failure = slot.worker.failure(slot.task);
            slot.worker.give(slot);
            future.fail(failure);
        }
    }
}
