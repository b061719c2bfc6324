// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Something to come from an engine's driver: the one object that a command costs. A platform thread
 * that waits for it drives the progress engine when nobody else does. Cancelling it, or a timeout,
 * ends the waiting alone: the command's memory stays the library's until the command completes.
 */
final class DrivenFuture<R> extends CompletableFuture<R> implements BooleanSupplier {

    private static final long LONGEST = Long.MAX_VALUE / 2; // nanoseconds: 146 years

    private final EngineDriver driver;

    /** When it is too late; null for a command that has the usual time, until a sweep sees it. */
    @Nullable Deadline deadline;

    /** The platform thread that sleeps until this is done. */
    volatile @Nullable Thread sleeper;

    DrivenFuture(EngineDriver driver, @Nullable Deadline deadline) {
        this.driver = driver;
        this.deadline = deadline;
    }

    /** Whether this is done: what whoever drives the engine waits for. */
    @Override
    public boolean getAsBoolean() {
        return isDone();
    }

    /**
     * What came of this, which fails at a deadline unless it is done by then.
     *
     * @param last null for as long as it takes
     * @param asked who is named when it is late
     * @throws InterruptedException if the calling thread is interrupted: this is cancelled
     */
    R await(@Nullable Deadline last, Object asked) throws InterruptedException {
        try {
            return last == null ? get() : getBefore(last, asked);
        } catch (InterruptedException e) {
            cancel(false);
            driver.leave();
            throw e;
        } catch (ExecutionException e) {
            throw unchecked(e.getCause());
        }
    }

    private R getBefore(Deadline last, Object asked)
            throws InterruptedException, ExecutionException {
        try {
            return get(last.remaining(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            completeExceptionally(last.failure(asked));
            return outcome();
        }
    }

    /** The same, whatever interrupts: that is for later. */
    R awaitUninterrupted(Deadline last, Object asked) {
        driver.await(this, last.at(), false);
        var interrupted = false;
        while (!isDone()) {
            try {
                super.get(last.remaining(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (TimeoutException e) {
                completeExceptionally(last.failure(asked));
            } catch (ExecutionException | CancellationException e) {
                break; // it is done
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return outcome();
    }

    /** Sleeps until this is done, for some time, without driving the engine or being told to. */
    void sleep(long nanoseconds) {
        try {
            super.get(nanoseconds, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | CancellationException | TimeoutException e) {
            return; // the caller looks
        }
    }

    /** What came of this, which is done. */
    private R outcome() {
        if (isCompletedExceptionally()) {
            throw unchecked(exceptionNow());
        }
        return getNow(null);
    }

    /** A failure that can be thrown: the very one if it is unchecked. */
    static RuntimeException unchecked(@Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException exception ? exception
                : new CompletionException(cause);
    }

    @Override
    public boolean complete(@Nullable R answer) {
        return woken(super.complete(answer));
    }

    @Override
    public boolean completeExceptionally(Throwable error) {
        return woken(super.completeExceptionally(error));
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        return woken(super.cancel(mayInterrupt));
    }

    /** Wakes whoever waits for this: it was done, perhaps by another thread than the leader. */
    private boolean woken(boolean result) {
        var thread = sleeper;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
        driver.wakeSleepingLeader();
        return result;
    }

    @Override
    public R join() {
        driver.await(this, Long.MAX_VALUE, false);
        return super.join();
    }

    @Override
    public R get() throws InterruptedException, ExecutionException {
        requireNotInterrupted();
        driver.await(this, Long.MAX_VALUE, true);
        return super.get();
    }

    @Override
    public R get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        requireNotInterrupted();
        var last = System.nanoTime() + Math.clamp(unit.toNanos(timeout), 0, LONGEST);
        driver.await(this, last, true);
        return super.get(Math.max(0, last - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    private static void requireNotInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /** What depends on this future can be waited for in the same way. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new DrivenFuture<>(driver, null);
    }
}
