// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The way of commands: queued by any thread, then handed to the library, completed by it, and
 * answered, all by the leader. Completing a future runs what depends on it, which may have its
 * thread lead on, or step down: so each command is taken from its list before its future is
 * completed, and the list is looked at again only by who leads then.
 */
final class CommandFlow {

    private final CommandQueue queue = new CommandQueue();
    private final EngineLead lead;
    private final AtomicInteger pending = new AtomicInteger(); // queued or in flight

    // The leader's own.
    private @Nullable CommandSlot taken; // from the queue, and not handed over yet
    private @Nullable CommandSlot firstCompleted;
    private @Nullable CommandSlot lastCompleted;

    CommandFlow(EngineLead lead) {
        this.lead = lead;
    }

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
        while (lead.isMine() && taken != null) {
            var slot = taken;
            taken = slot.next;
            slot.next = null;
            handOver(slot);
        }
        return worked;
    }

    private void handOver(CommandSlot slot) {
        var expected = slot.expected();
        if (expected == null || expected.isDone()) {
            pending.decrementAndGet();
            slot.abandon(); // it was cancelled, or is late
            return;
        }
        try {
            slot.worker.requireRunning();
            slot.task.setPlugin(slot.plugin).setPayloadLength(slot.length).submit();
        } catch (RuntimeException e) {
            pending.decrementAndGet();
            slot.fail(e);
        }
    }

    /** A command has completed, inside a progress of the leader: it is answered afterwards. */
    void completed(CommandSlot slot) {
        slot.next = null;
        if (firstCompleted == null || lastCompleted == null) {
            firstCompleted = slot;
        } else {
            lastCompleted.next = slot;
        }
        lastCompleted = slot;
    }

    /** Whether a command has completed and is not answered, as when its leader stepped down. */
    boolean isAnyCompleted() {
        return firstCompleted != null;
    }

    /** Answers all that have completed. */
    void finishCompleted() {
        while (lead.isMine() && firstCompleted != null) {
            var slot = firstCompleted;
            firstCompleted = slot.next;
            finish(slot);
        }
    }

    private void finish(CommandSlot slot) {
        pending.decrementAndGet();
        if (slot.task.status().isSuccess()) {
            slot.answer();
        } else {
            slot.fail(slot.worker.failure(slot.task));
        }
    }
}
