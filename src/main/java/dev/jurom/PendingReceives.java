// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.internal.Timeout;
import dev.jurom.internal.Deadline;
import dev.jurom.internal.Engine;
import dev.jurom.plugin.sandbox.SandboxCommand.Receive;
import dev.jurom.plugin.sandbox.SandboxNotification.Received;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The receives of a worker. The plugin has no command that cancels one, so a receive whose caller has
 * left stays at the worker, where it occupies a slot, and serves the next caller of an equal receive.
 * Receives occupy at most three quarters of the slots; others wait in a queue of this class.
 *
 * <p>This class is thread-safe.
 */
final class PendingReceives {

    /** The maximum number of messages for callers that have left; the oldest is discarded then. */
    static final int MAX_KEPT = 1024;

    private final Engine engine;
    private final Object worker; // for messages
    private final int slots;
    private final int limit; // of the slots
    private final Function<Receive, CompletableFuture<Received>> submitter;

    // Guarded by this.
    private final Map<Receive, Same> pending = new HashMap<>();
    private final SequencedSet<Receive> waiting = new LinkedHashSet<>(); // for a slot
    private final Deque<Receive> kept = new ArrayDeque<>(); // one entry for each kept message, oldest first
    private int occupied; // slots
    private boolean submitting; // one thread at a time, so that equal receives are submitted in order

    /** Equal receives. A message goes to the first caller, or is kept until there is one. */
    private static final class Same {

        private final Deque<CompletableFuture<Received>> callers = new ArrayDeque<>();
        private final Deque<Received> messages = new ArrayDeque<>();
        private final Deque<CompletableFuture<Received>> submitted = new ArrayDeque<>();
        private boolean delivering; // one thread at a time, in the order of the submissions

        boolean isShort() {
            return submitted.size() < callers.size();
        }

        /** The number of receives at the worker without a caller. */
        int abandoned() {
            return Math.max(0, submitted.size() - callers.size());
        }
    }

    /** A receive to be submitted. */
    private record Submission(Receive command, CompletableFuture<Received> answer) {}

    /**
     * Creates the receives of a worker.
     *
     * @param engine fails the futures of callers at their deadlines
     * @param worker names the worker in messages
     * @param slots the number of the worker's slots
     * @param submitter submits a receive without a deadline; does not block or throw
     */
    PendingReceives(Engine engine, Object worker, int slots, Function<Receive, CompletableFuture<Received>> submitter) {
        this.engine = engine;
        this.worker = worker;
        this.slots = slots;
        this.limit = Math.max(1, slots - Math.max(1, slots / 4));
        this.submitter = submitter;
    }

    /** Receives a message for a caller that waits until a timeout. Never blocks. */
    CompletableFuture<Received> receive(Receive command, Duration timeout) {
        var deadline = Deadline.in(Timeout.requirePositive("The timeout of a command", timeout));
        var caller = new CompletableFuture<Received>();
        try {
            requireSlot(command);
            engine.ask(caller, asked -> {}, deadline, "a message for " + worker);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        var view = engine.view(caller, unwanted -> give(command, unwanted));
        var message = add(command, caller);
        if (message != null) {
            give(command, message);
        }
        caller.whenComplete((received, failure) -> {
            if (failure != null) {
                leave(command, caller);
            }
        });
        submitWaiting();
        return view;
    }

    /** Rejects a receive that would wait for slots that no caller is going to free. */
    private synchronized void requireSlot(Receive command) {
        var same = pending.get(command);
        if (occupied < limit || same != null && (!same.messages.isEmpty() || same.abandoned() > 0)) {
            return;
        }
        var abandoned = pending.values().stream().mapToInt(Same::abandoned).sum();
        if (abandoned >= limit) {
            throw new DocaException(
                    DocaError.AGAIN,
                    "doca_urom_worker_cmd_task_allocate",
                    worker.toString(),
                    abandoned + " of its " + slots + " slots hold receives that timed out or were cancelled, until"
                            + " their messages arrive: repeat these receives with the same arguments, configure"
                            + " more tasks, or start another worker.");
        }
    }

    /** Adds a caller. Returns the first message that was kept; null if there is none. */
    private synchronized @Nullable Received add(Receive command, CompletableFuture<Received> caller) {
        var same = same(command);
        same.callers.add(caller);
        var message = same.messages.poll();
        if (message != null) {
            kept.removeFirstOccurrence(command);
        } else if (same.isShort()) {
            waiting.add(command);
        }
        return message;
    }

    private Same same(Receive command) {
        return pending.computeIfAbsent(command, key -> new Same());
    }

    /** Removes a caller that timed out or was cancelled. */
    private synchronized void leave(Receive command, CompletableFuture<Received> caller) {
        var same = same(command);
        same.callers.remove(caller);
        if (!same.isShort()) {
            waiting.remove(command);
        }
        removeIfUnused(command, same);
    }

    /** Submits receives while there are callers without one and slots. */
    private void submitWaiting() {
        for (var next = beginSubmission(); next != null; next = beginSubmission()) {
            try {
                submit(next.command(), next.answer());
            } finally {
                endSubmission();
            }
        }
    }

    private synchronized @Nullable Submission beginSubmission() {
        if (submitting || occupied == limit || waiting.isEmpty()) {
            return null;
        }
        var submission = new Submission(waiting.removeFirst(), new CompletableFuture<>());
        var same = same(submission.command());
        same.submitted.add(submission.answer());
        if (same.isShort()) {
            waiting.addLast(submission.command());
        }
        occupied++;
        submitting = true;
        return submission;
    }

    private synchronized void endSubmission() {
        submitting = false;
    }

    private void submit(Receive command, CompletableFuture<Received> answer) {
        submitter.apply(command).whenComplete((received, failure) -> {
            if (failure == null) {
                answer.complete(received);
            } else {
                answer.completeExceptionally(failure);
            }
            freeSlot();
            deliver(command);
            submitWaiting();
        });
    }

    private synchronized void freeSlot() {
        occupied--;
    }

    /**
     * Delivers the answers that have arrived in the order of their receives, which is the order of the
     * messages: several threads complete them.
     */
    private void deliver(Receive command) {
        for (var answer = beginDelivery(command); answer != null; answer = beginDelivery(command)) {
            if (answer.isCompletedExceptionally()) {
                fail(command, answer.exceptionNow());
            } else {
                give(command, answer.resultNow());
            }
            endDelivery(command);
        }
    }

    /** Removes and returns the first receive if it is answered and no other thread delivers; else null. */
    private synchronized @Nullable CompletableFuture<Received> beginDelivery(Receive command) {
        var same = same(command);
        var first = same.submitted.peek();
        if (same.delivering || first == null || !first.isDone()) {
            removeIfUnused(command, same);
            return null;
        }
        same.delivering = true;
        return same.submitted.poll();
    }

    private synchronized void endDelivery(Receive command) {
        same(command).delivering = false;
    }

    private void removeIfUnused(Receive command, Same same) {
        if (!same.delivering && same.submitted.isEmpty() && same.callers.isEmpty() && same.messages.isEmpty()) {
            pending.remove(command);
        }
    }

    private void fail(Receive command, Throwable failure) {
        var caller = nextCaller(command, null);
        while (caller != null && !caller.completeExceptionally(failure)) {
            caller = nextCaller(command, null);
        }
    }

    /** Delivers a message to the first caller that still waits, or else keeps it. */
    private void give(Receive command, Received message) {
        var caller = nextCaller(command, message);
        while (caller != null && !caller.complete(message)) {
            caller = nextCaller(command, message);
        }
    }

    /** Removes and returns the first caller. If there is none, keeps the message unless it is null. */
    private synchronized @Nullable CompletableFuture<Received> nextCaller(Receive command, @Nullable Received message) {
        var same = same(command);
        var caller = same.callers.poll();
        if (caller == null && message != null) {
            keep(command, same, message);
        }
        removeIfUnused(command, same);
        return caller;
    }

    private void keep(Receive command, Same same, Received message) {
        same.messages.add(message);
        kept.addLast(command);
        if (kept.size() > MAX_KEPT) {
            var oldest = kept.removeFirst();
            same(oldest).messages.remove();
            removeIfUnused(oldest, same(oldest));
        }
    }
}
