// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.internal.Timeout;
import dev.jurom.runtime.LibraryLoadException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The deadline of an operation.
 *
 * @param at the deadline as a value of {@link System#nanoTime()}
 * @param timeout the time that the operation was given
 */
public record Deadline(long at, Duration timeout) {

    /** The timeout of operations other than commands. */
    public static final Duration OPERATION_TIMEOUT = Duration.ofSeconds(60);

    /**
     * Creates a deadline that begins now.
     *
     * @param timeout the time until the deadline
     * @return the deadline
     */
    public static Deadline in(Duration timeout) {
        return new Deadline(System.nanoTime() + Timeout.nanos(timeout), timeout);
    }

    /**
     * Returns the remaining time.
     *
     * @return nanoseconds; 0 if the deadline has passed
     */
    public long remaining() {
        return Math.max(0, at - System.nanoTime());
    }

    /**
     * Creates the exception of an operation that has exceeded this deadline.
     *
     * @param operation names the operation and its object
     * @return an exception with {@code TIME_OUT}
     */
    public DocaException failure(Object operation) {
        return failure(operation, timeout);
    }

    /**
     * Waits until a thread has ended or the deadline has passed. Not interruptible: the interrupt status is preserved.
     *
     * @param thread a thread that was requested to end
     */
    public void join(Thread thread) {
        var interrupted = false;
        while (thread.isAlive() && remaining() > 0) {
            try {
                thread.join(Duration.ofNanos(remaining()));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits for a result. Not interruptible: the interrupt status is preserved.
     *
     * @param <T> the type of the result
     * @param result a future that another thread completes; it fails with {@code TIME_OUT} at the deadline
     * @param operation names the operation and its object
     * @return the result
     */
    public <T> T await(CompletableFuture<T> result, Object operation) {
        var interrupted = false;
        try {
            while (true) {
                try {
                    return result.get(remaining(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    result.completeExceptionally(failure(operation));
                }
            }
        } catch (ExecutionException e) {
            throw inCurrentThread(e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Waits for an object that starts.
     *
     * @param <T> the type of the object
     * @param start a future that another thread completes; it fails with {@code TIME_OUT} at the deadline, and when
     *        the current thread is interrupted
     * @param unwanted receives an object that has started although the current thread no longer waits for it
     * @param operation names the operation and its object
     * @return the object
     * @throws InterruptedException if the current thread is interrupted while waiting
     */
    public <T> T awaitStart(CompletableFuture<T> start, Consumer<T> unwanted, Object operation)
            throws InterruptedException {
        while (true) {
            try {
                return start.get(remaining(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                if (!start.completeExceptionally(e) && !start.isCompletedExceptionally()) {
                    unwanted.accept(start.resultNow());
                }
                throw e;
            } catch (TimeoutException e) {
                start.completeExceptionally(failure(operation));
            } catch (ExecutionException e) {
                throw inCurrentThread(e.getCause());
            }
        }
    }

    /**
     * Creates an exception for the current thread from that of another thread.
     *
     * @param cause the exception of the other thread
     * @return an exception with that as its cause
     */
    static RuntimeException inCurrentThread(@Nullable Throwable cause) {
        return switch (cause) {
            case DocaException e -> e.inCurrentThread();
            case Closing.ClosedException e -> new Closing.ClosedException(e);
            case IllegalStateException e -> new IllegalStateException(e.getMessage(), e);
            case IllegalArgumentException e -> new IllegalArgumentException(e.getMessage(), e);
            case LibraryLoadException e -> new LibraryLoadException(String.valueOf(e.getMessage()), e);
            case null, default -> new CompletionException(cause);
        };
    }

    static DocaException failure(Object operation, Duration timeout) {
        return DocaException.of(
                DocaError.TIME_OUT,
                "doca_pe_progress",
                operation + " did not complete within " + Timeout.text(timeout),
                "Allow it more time, or check whether the worker and the service still run.",
                new byte[0]);
    }
}
