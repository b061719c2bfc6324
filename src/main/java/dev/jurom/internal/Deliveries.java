// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Passes completed futures to the completion executor. Thread-safe. */
final class Deliveries {

    /** The completion of a future, and an element of the list of retries. */
    interface Completion extends Runnable {

        /** Prepares to add this to the list. Returns false if it is in the list. */
        boolean enlist();

        void setNext(@Nullable Completion next);

        /** Removes this from the list, of which it is the first. Returns the next one. */
        @Nullable
        Completion delist();
    }

    private static final int WARM_UP_CALLS = 256; // until the JDK has compiled each method handle

    private final Thread engineThread;
    private final CompletionThreads threads;
    private final Executor executor;
    private final FutureDeadlines deadlines;
    private final Runnable wake;
    private final AtomicReference<@Nullable Completion> retries = new AtomicReference<>(); // newest first

    /**
     * Creates the deliveries of an engine.
     *
     * @param engineThread the engine thread
     * @param threads execute completions that the executor rejects
     * @param executor the completion executor
     * @param deadlines the deadlines of futures
     * @param wake wakes the engine thread
     */
    Deliveries(
            Thread engineThread,
            CompletionThreads threads,
            Executor executor,
            FutureDeadlines deadlines,
            Runnable wake) {
        this.engineThread = engineThread;
        this.threads = threads;
        this.executor = executor;
        this.deadlines = deadlines;
        this.wake = wake;
    }

    boolean isEngineThread() {
        return Thread.currentThread() == engineThread;
    }

    FutureDeadlines deadlines() {
        return deadlines;
    }

    /** Passes a future to the executor, or to threads of the engine if the executor throws. Throws nothing. */
    void deliver(Completion future) {
        try {
            try {
                executor.execute(future);
            } catch (Throwable e) { // an executor of the application may throw anything
                threads.execute(future);
            }
        } catch (Throwable e) {
            retry(future);
        }
    }

    /** Delivers a future again later. Throws nothing. */
    void retry(Completion future) {
        if (!future.enlist()) {
            return;
        }
        Completion next;
        do {
            next = retries.get();
            future.setNext(next);
        } while (!retries.compareAndSet(next, future));
        try {
            wake.run();
        } catch (Throwable e) {
            // The engine thread finds the future when it wakes up by itself, within a second.
        }
    }

    /** Links the methods of a retry, so that it does not fail for lack of memory later. Called on the engine thread. */
    void warmUp(Completion completion) {
        for (var i = 0; i < WARM_UP_CALLS; i++) {
            retry(completion);
            retries.getAndSet(null);
            completion.delist();
            completion.run();
        }
    }

    /** Returns whether a delivery has to be repeated. */
    boolean hasRetries() {
        return retries.get() != null;
    }

    /** Repeats deliveries that have failed. */
    void repeat() {
        for (var future = retries.getAndSet(null); future != null; ) {
            var next = future.delist();
            deliver(future);
            future = next;
        }
    }
}
