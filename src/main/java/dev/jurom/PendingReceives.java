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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The receives of a worker. The plugin has no command that cancels one, so a receive whose caller timed
 * out or was cancelled stays at the worker, where it occupies a slot, and serves the next equal receive.
 * Receives occupy at most three quarters of the slots; others wait in a queue of this class.
 *
 * <p>This class is thread-safe.
 */
final class PendingReceives {

    /** The maximum number of messages without a caller; the oldest is discarded for another one. */
    static final int MAX_KEPT = 1024;

    private final Engine engine;
    private final Object worker; // named in messages
    private final int slots;
    private final int limit; // the number of slots that receives may occupy
    private final Function<Receive, CompletableFuture<Received>> submitter;

    // Guarded by this.
    private final Map<Receive, Same> pending = new HashMap<>();
    private final SequencedSet<Receive> waiting = new LinkedHashSet<>(); // the receives that wait for a slot
    private final Deque<Receive> kept = new ArrayDeque<>(); // one entry for each kept message, oldest first
    private int occupied; // the number of slots
    private boolean submitting; // one thread at a time, so that equal receives are submitted in order

    /**
     * Equal receives. A message goes to the first caller, or is kept until there is one. There is no caller while
     * there are messages.
     */
    private static final class Same {

        private final Deque<Caller> callers = new ArrayDeque<>();
        private final Deque<CompletableFuture<Received>> messages = new ArrayDeque<>();
        private final Deque<CompletableFuture<Received>> submitted = new ArrayDeque<>();

        boolean isShort() {
            return submitted.size() < callers.size();
        }

        boolean hasArrived() {
            return !submitted.isEmpty() && submitted.element().isDone();
        }

        /** The number of receives at the worker without a caller. */
        int abandoned() {
            return Math.max(0, submitted.size() - callers.size());
        }
    }

    /**
     * The future of a receive. The lock decides whether it gets the next message or is cancelled; the executor
     * completes it afterwards.
     */
    private final class Caller extends CompletableFuture<Received> {

        private final Receive command;
        private final CompletableFuture<Void> expiry = new CompletableFuture<>(); // fails at the deadline
        private final CompletableFuture<Received> outcome = new CompletableFuture<>();
        private final CompletableFuture<Received> delivery = engine.follow(outcome, unwanted -> {});

        Caller(Receive command) {
            this.command = command;
            delivery.whenComplete((received, failure) -> {
                if (failure == null) {
                    super.complete(received);
                } else {
                    super.completeExceptionally(failure);
                }
            });
            expiry.whenComplete((unused, late) -> {
                if (late != null && leave(this)) {
                    outcome.completeExceptionally(late);
                }
            });
        }

        /** Fails this at a deadline, unless it gets a message before. */
        void failAt(Deadline deadline) {
            engine.ask(expiry, asked -> {}, deadline, "a message for " + worker);
        }

        /** Passes an answer of the worker to the executor, which completes this. */
        void deliver(CompletableFuture<Received> answer) {
            expiry.complete(null);
            answer.whenComplete((received, failure) -> {
                if (failure == null) {
                    outcome.complete(received);
                } else {
                    outcome.completeExceptionally(failure);
                }
            });
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return leave(this) ? super.cancel(mayInterruptIfRunning) : isCancelled();
        }

        @Override
        public boolean complete(Received value) {
            return leave(this) && super.complete(value);
        }

        @Override
        public boolean completeExceptionally(Throwable failure) {
            return leave(this) && super.completeExceptionally(failure);
        }

        @Override
        public <U> CompletableFuture<U> newIncompleteFuture() {
            return delivery.newIncompleteFuture();
        }

        private void requireOtherThread() {
            if (!isDone()) {
                engine.requireOtherThread();
            }
        }

        @Override
        public Received join() {
            requireOtherThread();
            return super.join();
        }

        @Override
        public Received get() throws InterruptedException, ExecutionException {
            requireOtherThread();
            return super.get();
        }

        @Override
        public Received get(long timeout, TimeUnit unit)
                throws InterruptedException, ExecutionException, TimeoutException {
            requireOtherThread();
            return super.get(timeout, unit);
        }
    }

    /** An answer that was assigned to a caller. */
    private record Delivery(Caller caller, CompletableFuture<Received> answer) {}

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
        Caller caller;
        try {
            requireSlot(command);
            caller = new Caller(command);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        deliver(command, add(caller));
        try {
            caller.failAt(deadline); // after it was added, since the deadline may have passed
        } catch (RuntimeException e) {
            caller.completeExceptionally(e);
        }
        submitWaiting();
        return caller;
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

    /** Adds a caller. Returns as {@link #nextDelivery}. */
    private synchronized @Nullable Delivery add(Caller caller) {
        var same = same(caller.command);
        same.callers.add(caller);
        var next = nextDelivery(caller.command);
        if (same.isShort()) {
            waiting.add(caller.command);
        }
        return next;
    }

    private Same same(Receive command) {
        return pending.computeIfAbsent(command, key -> new Same());
    }

    /** Removes a caller that timed out or was cancelled. Returns false if it has got a message or left. */
    private boolean leave(Caller caller) {
        var left = remove(caller);
        if (left) {
            caller.expiry.complete(null);
        }
        return left;
    }

    private synchronized boolean remove(Caller caller) {
        var same = same(caller.command);
        var removed = same.callers.remove(caller);
        if (!same.isShort()) {
            waiting.remove(caller.command);
        }
        removeIfUnused(caller.command, same);
        return removed;
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
            deliver(command, nextDelivery(command));
            submitWaiting();
        });
    }

    private synchronized void freeSlot() {
        occupied--;
    }

    /** Delivers messages, the first of which is given. */
    private void deliver(Receive command, @Nullable Delivery first) {
        for (var next = first; next != null; next = nextDelivery(command)) {
            next.caller().deliver(next.answer());
        }
    }

    /**
     * Assigns the first message to the first caller. The messages have the order of their receives at the worker,
     * whose answers several threads complete. Returns null if there is no message or no caller.
     */
    private synchronized @Nullable Delivery nextDelivery(Receive command) {
        var same = same(command);
        Delivery next = null;
        if (!same.messages.isEmpty() && !same.callers.isEmpty()) {
            next = new Delivery(same.callers.element(), same.messages.element());
            same.callers.remove();
            same.messages.remove();
            kept.removeFirstOccurrence(command);
        }
        while (next == null && same.hasArrived()) {
            var answer = same.submitted.element();
            if (!same.callers.isEmpty()) {
                next = new Delivery(same.callers.element(), answer);
                same.callers.remove();
            } else if (!answer.isCompletedExceptionally()) {
                keep(command, same, answer);
            }
            same.submitted.remove();
        }
        removeIfUnused(command, same);
        return next;
    }

    private void removeIfUnused(Receive command, Same same) {
        if (same.submitted.isEmpty() && same.callers.isEmpty() && same.messages.isEmpty()) {
            pending.remove(command);
        }
    }

    private void keep(Receive command, Same same, CompletableFuture<Received> message) {
        same.messages.add(message);
        kept.addLast(command);
        if (kept.size() > MAX_KEPT) {
            var oldest = kept.removeFirst();
            same(oldest).messages.remove();
            removeIfUnused(oldest, same(oldest));
        }
    }
}
