// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Something to come from an engine's driver: the one object that a command costs whose caller does
 * not wait. A platform thread
 * that waits for it drives the progress engine when nobody else does. Cancelling it, or a timeout,
 * ends the waiting alone: the command's memory stays the library's until the command completes.
 */
final class DrivenFuture<R> extends CompletableFuture<R> implements Reply {

    private static final long LONGEST = Long.MAX_VALUE / 2; // nanoseconds: 146 years

    private static final VarHandle SLEEPER = sleeperHandle(); // costs a future no object

    private final EngineDriver driver;
    private final boolean dependent; // it may become done without a word to this class

    private @Nullable Deadline deadline;
    private volatile @Nullable Thread sleeper;

    DrivenFuture(EngineDriver driver, @Nullable Deadline deadline) {
        this(driver, deadline, false);
    }

    private DrivenFuture(EngineDriver driver, @Nullable Deadline deadline, boolean dependent) {
        this.driver = driver;
        this.deadline = deadline;
        this.dependent = dependent;
    }

    private static VarHandle sleeperHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(DrivenFuture.class, "sleeper",
                    Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("The field is in this class", e);
        }
    }

    @Override
    public long turn() {
        return 0; // the only one
    }

    @Override
    public @Nullable Deadline deadline() {
        return deadline;
    }

    @Override
    public void limit(Deadline usual) {
        deadline = deadline == null ? usual : deadline;
    }

    @Override
    public void fail(long turn, Throwable reason) {
        completeExceptionally(reason);
    }

    @Override
    public boolean beginSleep() {
        return SLEEPER.compareAndSet(this, null, Thread.currentThread());
    }

    @Override
    public void endSleep() {
        sleeper = null;
    }

    /**
     * What came of this, which fails at a deadline unless it is done by then. An interrupt is for
     * later.
     *
     * @param asked who is named when it is late
     */
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

    @Override
    public void sleep(long nanoseconds) {
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

    /** Has whoever waits woken also when another thread than the leader makes this done. */
    private void expectAnyThread() {
        if (dependent && !isDone()) {
            whenComplete((answer, failure) -> woken(true));
        }
    }

    @Override
    public R join() {
        expectAnyThread();
        driver.await(this, Long.MAX_VALUE, false);
        return super.join();
    }

    @Override
    public R get() throws InterruptedException, ExecutionException {
        requireNotInterrupted();
        expectAnyThread();
        driver.await(this, Long.MAX_VALUE, true);
        return super.get();
    }

    @Override
    public R get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        requireNotInterrupted();
        expectAnyThread();
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
        return new DrivenFuture<>(driver, null, true);
    }
}
