// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The future of a block that a worker processes. The engine thread must not run actions of the application, and
 * does not complete this: it hands the completion to the thread that waits for this, which it has to wake
 * anyway, or else to an executor.
 */
final class BlockFuture extends CompletableFuture<MemorySegment> {

    private static final long LONGEST_PARK = 10_000_000; // nanoseconds; not every method that completes this unparks

    /** A completion for the thread that waits. */
    private record HandedOver(Runnable completion) {}

    private final Executor executor;
    private final Runnable abandon;
    /** The thread that waits, or its completion; null if there is neither. */
    private final AtomicReference<@Nullable Object> waiter = new AtomicReference<>();

    /**
     * Makes a future.
     *
     * @param executor runs the completion if no thread waits
     * @param abandon ends the use of the buffers, before this completes
     */
    BlockFuture(Executor executor, Runnable abandon) {
        this.executor = executor;
        this.abandon = abandon;
    }

    /** Hands a completion to another thread. For the engine thread. */
    void handOver(Runnable completion) {
        if (getNumberOfDependents() == 0
                && waiter.get() instanceof Thread thread
                && waiter.compareAndSet(thread, new HandedOver(completion))) {
            LockSupport.unpark(thread);
            return;
        }
        try {
            executor.execute(completion);
        } catch (RejectedExecutionException | OutOfMemoryError e) { // no other thread can be had
            completion.run();
        }
    }

    /** Waits until this is done or the time is past, or the current thread is interrupted, or another one waits. */
    private void await(long nanos) {
        var me = Thread.currentThread();
        // A ForkJoinPool compensates for its threads that wait in the methods of the superclass.
        if (isDone() || me instanceof ForkJoinWorkerThread || !waiter.compareAndSet(null, me)) {
            return;
        }
        try {
            var begin = System.nanoTime();
            for (var left = nanos;
                    left > 0 && waiter.get() == me && !isDone() && !me.isInterrupted();
                    left = nanos - (System.nanoTime() - begin)) {
                LockSupport.parkNanos(this, Math.min(left, LONGEST_PARK));
            }
        } finally {
            if (waiter.getAndSet(null) instanceof HandedOver handed) {
                handed.completion().run();
            }
        }
    }

    private void unparkWaiter() {
        if (waiter.get() instanceof Thread thread) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public MemorySegment join() {
        await(Long.MAX_VALUE);
        return super.join();
    }

    @Override
    public MemorySegment get() throws InterruptedException, ExecutionException {
        await(Long.MAX_VALUE);
        return super.get();
    }

    @Override
    public MemorySegment get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        var begin = System.nanoTime();
        var nanos = unit.toNanos(timeout);
        await(nanos);
        return super.get(nanos - (System.nanoTime() - begin), TimeUnit.NANOSECONDS);
    }

    @Override
    public boolean complete(MemorySegment value) {
        abandon.run();
        var completed = super.complete(value);
        unparkWaiter();
        return completed;
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        abandon.run();
        var completed = super.completeExceptionally(failure);
        unparkWaiter();
        return completed;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        abandon.run();
        var cancelled = super.cancel(mayInterruptIfRunning);
        unparkWaiter();
        return cancelled;
    }
}
