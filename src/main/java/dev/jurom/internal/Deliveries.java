// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Passes completed futures to the completion executor. Thread-safe. */
final class Deliveries {

    private final Thread engineThread;
    private final CompletionThreads threads;
    private final Executor executor;
    private final Deadlines deadlines;
    private final Runnable wake;
    private final AtomicReference<@Nullable EngineFuture<?>> retries = new AtomicReference<>(); // newest first

    /**
     * Creates the deliveries of an engine.
     *
     * @param engineThread the engine thread
     * @param threads execute what the executor rejects
     * @param executor the completion executor
     * @param deadlines the deadlines of futures
     * @param wake wakes the engine thread
     */
    Deliveries(Thread engineThread, CompletionThreads threads, Executor executor, Deadlines deadlines, Runnable wake) {
        this.engineThread = engineThread;
        this.threads = threads;
        this.executor = executor;
        this.deadlines = deadlines;
        this.wake = wake;
    }

    boolean isEngineThread() {
        return Thread.currentThread() == engineThread;
    }

    Deadlines deadlines() {
        return deadlines;
    }

    /** Has a future completed by the executor, or by threads of the engine if that throws. Throws nothing. */
    void deliver(EngineFuture<?> future) {
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

    /** Delivers a future again later. Throws and allocates nothing. */
    void retry(EngineFuture<?> future) {
        do {
            future.nextRetry = retries.get();
        } while (!retries.compareAndSet(future.nextRetry, future));
        wake.run();
    }

    /** Returns whether a delivery has to be repeated. */
    boolean hasRetries() {
        return retries.get() != null;
    }

    /** Repeats deliveries that have failed. */
    void repeat() {
        for (var future = retries.getAndSet(null); future != null; ) {
            var next = future.nextRetry;
            future.nextRetry = null;
            deliver(future);
            future = next;
        }
    }
}
