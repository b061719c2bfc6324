// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.internal.Timeout;
import dev.jurom.internal.Deadline;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.sandbox.SandboxCommand;
import dev.jurom.plugin.sandbox.SandboxCommand.Receive;
import dev.jurom.plugin.sandbox.SandboxNotification.Received;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The receives of a worker. The plugin has no command that ends one, so a receive whose caller has
 * left stays with the worker, and serves the next caller that wants the same. Thread-safe.
 */
final class PendingReceives {

    private static final Duration FOR_EVER = ChronoUnit.FOREVER.getDuration();

    private final Worker worker;
    private final Offload<SandboxCommand, Received> offload;
    private final Map<Receive, Same> pending = new HashMap<>(); // guarded by this

    /** Equal receives. A message goes to the first caller, or waits for one. */
    private static final class Same {

        private final Deque<CompletableFuture<Received>> callers = new ArrayDeque<>();
        private final Deque<Received> messages = new ArrayDeque<>();
        private final Deque<CompletableFuture<Received>> submitted = new ArrayDeque<>();
        private boolean delivering; // a thread delivers the answers, in the order of the submissions
    }

    PendingReceives(Worker worker, Offload<SandboxCommand, Received> offload) {
        this.worker = worker;
        this.offload = offload;
    }

    /** Receives a message for a caller that waits until a timeout. Never blocks. */
    CompletableFuture<Received> receive(Receive command, Duration timeout) {
        var deadline = Deadline.in(Timeout.requirePositive("The timeout of a command", timeout));
        var caller = new CompletableFuture<Received>();
        try {
            worker.requireOpen();
            worker.engine().ask(caller, waiting -> {}, deadline, "a message for " + worker);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        var view = worker.engine().view(caller, unwanted -> give(command, unwanted));
        var message = add(command, caller);
        if (message != null) {
            give(command, message);
        } else {
            submitIfShort(command);
        }
        return view;
    }

    /** Adds a caller. Returns the first message that was kept; null if there is none. */
    private synchronized @Nullable Received add(Receive command, CompletableFuture<Received> caller) {
        var same = same(command);
        same.callers.removeIf(CompletableFuture::isDone);
        same.callers.add(caller);
        return same.messages.poll();
    }

    private Same same(Receive command) {
        return pending.computeIfAbsent(command, key -> new Same());
    }

    /** Submits one more receive if there are more callers than the worker has receives. */
    private void submitIfShort(Receive command) {
        var submitted = new CompletableFuture<Received>();
        synchronized (this) {
            var same = same(command);
            if (same.callers.size() <= same.submitted.size()) {
                return;
            }
            same.submitted.add(submitted);
        }
        worker.submit(offload, command, FOR_EVER).whenComplete((received, failure) -> {
            if (failure == null) {
                submitted.complete(received);
            } else {
                submitted.completeExceptionally(failure);
            }
            deliver(command);
        });
    }

    /**
     * Delivers the answers that are there in the order of their receives, in which the messages have
     * come: several threads complete them.
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

    /** Removes the first receive if it is answered and no other thread delivers; else null. */
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

    /** Gives a message to the first caller that still waits, or else keeps it. */
    private void give(Receive command, Received message) {
        var caller = nextCaller(command, message);
        while (caller != null && !caller.complete(message)) {
            caller = nextCaller(command, message);
        }
    }

    /** Removes the first caller. Keeps the message, if there is one, when no caller is left. */
    private synchronized @Nullable CompletableFuture<Received> nextCaller(Receive command, @Nullable Received message) {
        var same = same(command);
        var caller = same.callers.poll();
        if (caller == null && message != null) {
            same.messages.add(message);
        }
        removeIfUnused(command, same);
        return caller;
    }
}
