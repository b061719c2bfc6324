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
 * does not complete this: it hands the output to the thread that waits for this, which it has to wake anyway,
 * or else to an executor. Failures are always handled by the executor, because that takes long.
 */
final class BlockFuture extends CompletableFuture<MemorySegment> {

    private static final long LONGEST_PARK = 10_000_000; // nanoseconds; not every method that completes this unparks
    private static final int FRAMES = 64; // more than a thread needs to complete this

    private final Executor executor;
    private final Delivery delivery;
    /** The thread that waits, or the output that it was handed; null if there is neither. */
    private final AtomicReference<@Nullable Object> waiter = new AtomicReference<>();

    /**
     * Makes a future.
     *
     * @param executor completes this if no thread waits
     * @param delivery writes the output to the buffer of the caller
     */
    BlockFuture(Executor executor, Delivery delivery) {
        this.executor = executor;
        this.delivery = delivery;
    }

    /** The way of an output to the buffer of the caller. */
    interface Delivery {

        /** Writes an output to the buffer. Returns the part of the buffer that contains it. */
        MemorySegment deliver(MemorySegment output) throws CompressionException;

        /** Ends the use of the buffers, before the future completes. */
        void abandon();
    }

    private void deliver(MemorySegment output) {
        try {
            complete(delivery.deliver(output));
        } catch (CompressionException | RuntimeException | Error e) {
            completeExceptionally(e);
        }
    }

    /** Completes this soon with an output, on another thread. For the engine thread. */
    void handOver(MemorySegment output) {
        if (getNumberOfDependents() == 0
                && waiter.get() instanceof Thread thread
                && waiter.compareAndSet(thread, output)) {
            LockSupport.unpark(thread);
        } else {
            execute(() -> deliver(output));
        }
    }

    /** Runs a step that completes this, on a thread of the executor. For the engine thread. */
    void execute(Runnable step) {
        try {
            executor.execute(step);
        } catch (RejectedExecutionException | OutOfMemoryError e) { // no other thread can be had
            step.run();
        }
    }

    /** Waits until this is done or the time is past, or the current thread is interrupted, or another one waits. */
    private void await(long nanos) {
        var me = Thread.currentThread();
        // A ForkJoinPool compensates for its threads that wait in the methods of the superclass.
        if (isDone() || me instanceof ForkJoinWorkerThread) {
            return;
        }
        requireStack(FRAMES); // else others would wait in vain for this thread to complete this
        if (!waiter.compareAndSet(null, me)) {
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
            if (waiter.getAndSet(null) instanceof MemorySegment output) {
                deliver(output);
            }
        }
    }

    /** Throws a {@link StackOverflowError} unless this many frames are left. Returns the number of frames. */
    private static int requireStack(int frames) {
        return frames == 0 ? 0 : requireStack(frames - 1) + 1;
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
        delivery.abandon();
        var completed = super.complete(value);
        unparkWaiter();
        return completed;
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        delivery.abandon();
        var completed = super.completeExceptionally(failure);
        unparkWaiter();
        return completed;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        delivery.abandon();
        var cancelled = super.cancel(mayInterruptIfRunning);
        unparkWaiter();
        return cancelled;
    }
}
