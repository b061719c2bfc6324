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
 * The future of a block that a worker processes. The engine thread must not run actions of the application, so it
 * does not complete this future: it passes the output to the thread that waits for it, which it wakes in any case,
 * or else to an executor. The executor handles all failures, because that takes long.
 */
final class BlockFuture extends CompletableFuture<MemorySegment> {

    private static final long MAX_PARK = 10_000_000; // nanoseconds; not every method that completes this unparks
    private static final int FRAMES = 64; // of the stack; more than the completion of this needs

    private final CompletableFuture<?> answer;
    private final Executor executor;
    private final Delivery delivery;
    /** The waiting thread, or the output that was passed to it; null if there is neither. */
    private final AtomicReference<@Nullable Object> waiter = new AtomicReference<>();

    /**
     * Creates a future.
     *
     * @param answer the answer of a worker
     * @param executor completes this if no thread waits
     * @param delivery writes the output to the buffer of the caller
     */
    BlockFuture(CompletableFuture<?> answer, Executor executor, Delivery delivery) {
        this.answer = answer;
        this.executor = executor;
        this.delivery = delivery;
    }

    /** Delivers an output to the buffer of the caller. */
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

    /** Completes this with an output, on another thread. Called on the engine thread. */
    void handOver(MemorySegment output) {
        if (getNumberOfDependents() == 0
                && waiter.get() instanceof Thread thread
                && waiter.compareAndSet(thread, output)) {
            LockSupport.unpark(thread);
        } else {
            execute(() -> deliver(output));
        }
    }

    /** Runs a step that completes this, on a thread of the executor. Called on the engine thread. */
    void execute(Runnable step) {
        try {
            executor.execute(step);
        } catch (RejectedExecutionException | OutOfMemoryError e) { // no other thread is available
            step.run();
        }
    }

    /** Waits until this is done, the time has passed, the current thread is interrupted or another one waits. */
    private void await(long nanos) {
        var current = Thread.currentThread();
        // A ForkJoinPool compensates for its threads that wait in the methods of the superclass.
        if (isDone() || current instanceof ForkJoinWorkerThread) {
            return;
        }
        requireStack(FRAMES); // else this thread could not complete this, for which others wait
        if (!waiter.compareAndSet(null, current)) {
            return;
        }
        try {
            var begin = System.nanoTime();
            for (var left = nanos;
                    left > 0 && waiter.get() == current && !isDone() && !current.isInterrupted();
                    left = nanos - (System.nanoTime() - begin)) {
                driveOrPark(Math.min(left, MAX_PARK));
            }
        } finally {
            if (waiter.getAndSet(null) instanceof MemorySegment output) {
                deliver(output);
            }
        }
    }

    /** Waits for the answer, which drives the engine on this thread, or for the thread that passes the output to this. */
    private void driveOrPark(long nanos) {
        if (answer.isDone()) {
            LockSupport.parkNanos(this, nanos);
            return;
        }
        try {
            answer.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // the action that depends on the answer passes on its failure
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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
