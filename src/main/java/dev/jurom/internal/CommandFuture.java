// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.plugin.Offload;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * An answer to come: the one object that a command costs. A platform thread that waits for it
 * drives the progress engine when nobody else does. Cancelling it, or a timeout, ends the waiting
 * alone: the command's memory stays the library's until the command completes.
 */
final class CommandFuture<R> extends CompletableFuture<R> implements BooleanSupplier {

    private final EngineDriver driver;
    private final Offload<?, ? extends R> offload;

    /** The platform thread that sleeps until this is done. */
    volatile Thread sleeper;

    CommandFuture(EngineDriver driver, Offload<?, ? extends R> offload) {
        this.driver = driver;
        this.offload = offload;
    }

    /** Whether this is done: what whoever drives the engine waits for. */
    @Override
    public boolean getAsBoolean() {
        return isDone();
    }

    /** Completes this with the answer of a command that was successful. */
    void answer(CommandSlot slot) {
        R answer;
        try {
            answer = offload.unpack(slot.task.response());
        } catch (RuntimeException | Error e) {
            slot.worker.give(slot);
            fail(e);
            return;
        }
        slot.worker.give(slot); // first: who hears of the answer may submit at once
        complete(answer);
    }

    /**
     * What the command was answered, for a caller that has waited as far as it drives the engine.
     *
     * @throws DocaException if the command failed, with {@code TIME_OUT} at the deadline
     */
    R answer(long deadline, DrivenWorker worker) {
        var interrupted = false;
        try {
            while (true) {
                try {
                    return deadline == Long.MAX_VALUE ? super.get()
                            : super.get(Math.max(0, deadline - System.nanoTime()),
                                    TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true; // the answer will come; the interrupt is for later
                }
            }
        } catch (TimeoutException e) {
            var failure = new DocaException(DocaError.TIME_OUT, "doca_task_submit",
                    worker.toString());
            completeExceptionally(failure);
            throw failure;
        } catch (ExecutionException e) {
            throw unchecked(e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A failure that can be thrown: the very one if it is unchecked. */
    static RuntimeException unchecked(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException exception ? exception
                : new CompletionException(cause);
    }

    /** Completes this with an error. */
    void fail(Throwable error) {
        completeExceptionally(error);
    }

    @Override
    public boolean complete(R answer) {
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
        driver.await(this, Long.MAX_VALUE);
        return super.join();
    }

    @Override
    public R get() throws InterruptedException, ExecutionException {
        requireNotInterrupted();
        driver.await(this, Long.MAX_VALUE);
        return super.get();
    }

    @Override
    public R get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        requireNotInterrupted();
        var deadline = System.nanoTime() + unit.toNanos(timeout);
        driver.await(this, deadline);
        return super.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    private static void requireNotInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /** What depends on this future is a plain one. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
