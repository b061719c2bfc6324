// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.ProgressEngine;
import dev.jurom.core.Submission;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The way of commands: queued by any thread, then handed to the library, completed by it, and
 * answered, all by the leader. Completing a future runs what depends on it, which may have its
 * thread lead on, or step down: so each command is taken from its list before its future is
 * completed, and the list is looked at again only by who leads then.
 */
final class CommandFlow {

    /** Commands that are handed over in one call, at most. */
    private static final int BATCH = 32;

    private final CommandQueue queue = new CommandQueue();
    private final EngineLead lead;
    private final Submission submission;
    private final CommandSlot[] submitted = new CommandSlot[BATCH]; // those in the submission
    private final AtomicInteger taken = new AtomicInteger(); // and not answered; the leader's

    // The leader's own.
    private @Nullable CommandSlot firstCompleted;
    private @Nullable CommandSlot lastCompleted;

    CommandFlow(ProgressEngine engine, EngineLead lead) {
        this.lead = lead;
        this.submission = new Submission(engine, BATCH);
    }

    /** Queues a command. Any thread may do so. */
    void add(CommandSlot slot) {
        queue.add(slot);
    }

    /** Whether any is queued or in flight. */
    boolean isAnyPending() {
        return isQueued() || taken.getAcquire() > 0; // in this order: see submitQueued
    }

    /** Whether any is queued. */
    boolean isQueued() {
        return !queue.isEmpty();
    }

    /**
     * How many callbacks are worth waiting for in one progress: it looks once more after each, which
     * is lost time when there can be no other.
     */
    int expected() {
        return Math.clamp(taken.getPlain(), 1, BATCH);
    }

    /** Hands a command to the library, after those that are queued. Runs nothing else. */
    void submit(CommandSlot slot) {
        submitQueued();
        count(1);
        prepare(slot);
        handOver();
    }

    /** Hands all that are queued to the library; whether there was any. Runs nothing else. */
    boolean submitQueued() {
        if (queue.isEmpty()) {
            return false;
        }
        count(1); // one too many, from before they leave the queue until all are counted
        var slot = queue.takeAll();
        while (slot != null) {
            var next = slot.next;
            slot.next = null;
            count(1);
            prepare(slot);
            slot = next;
        }
        handOver();
        count(-1);
        return true;
    }

    private void count(int more) {
        taken.setRelease(taken.getPlain() + more);
    }

    private void prepare(CommandSlot slot) {
        var expected = slot.expected();
        if (expected == null || expected.isDone()) {
            count(-1);
            slot.abandon(); // it was cancelled, or is late
            return;
        }
        try {
            slot.worker.requireRunning();
            slot.task.setPlugin(slot.plugin).setPayloadLength(slot.length);
            submitted[submission.size()] = slot;
            submission.add(slot.task);
        } catch (RuntimeException e) {
            refused(slot, e);
        }
        if (submission.isFull()) {
            handOver();
        }
    }

    private void handOver() {
        var count = submission.size();
        try {
            submission.submit();
        } catch (RuntimeException e) {
            takeRefused(count, e);
        }
    }

    /** The library did not take one of them: it is told why, those behind it are tried again. */
    private void takeRefused(int count, RuntimeException reason) {
        var first = 0;
        while (first < count && submitted[first].task.isInFlight()) {
            first++;
        }
        refused(submitted[first], reason);
        for (var i = first + 1; i < count; i++) {
            try {
                submitted[i].task.submit();
            } catch (RuntimeException e) {
                refused(submitted[i], e);
            }
        }
    }

    private void refused(CommandSlot slot, RuntimeException reason) {
        slot.refusal = reason;
        completed(slot);
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
        count(-1);
        var refusal = slot.refusal;
        if (refusal != null) {
            slot.refusal = null;
            slot.fail(refusal);
        } else if (slot.task.status().isSuccess()) {
            slot.answer();
        } else {
            slot.fail(slot.worker.failure(slot.task));
        }
    }
}
