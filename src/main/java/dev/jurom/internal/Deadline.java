// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.internal.Timeout;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * When an operation has taken too long.
 *
 * @param at the time, as {@link System#nanoTime()} counts
 * @param timeout how long the operation was given
 */
public record Deadline(long at, Duration timeout) {

    /** How long everything but a command may take. */
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * Makes a deadline.
     *
     * @param timeout how far away it is
     * @return a deadline from now
     */
    public static Deadline in(Duration timeout) {
        return new Deadline(System.nanoTime() + Timeout.nanos(timeout), timeout);
    }

    /**
     * Returns how much time is left.
     *
     * @return nanoseconds; 0 when the deadline is past
     */
    public long remaining() {
        return Math.max(0, at - System.nanoTime());
    }

    /**
     * Makes the exception of an operation that has taken too long.
     *
     * @param asked names the operation and its object
     * @return an exception with {@code TIME_OUT}
     */
    public DocaException failure(Object asked) {
        return failure(asked, timeout);
    }

    /**
     * Waits until a thread has ended, or the time is past. The interrupt status is preserved.
     *
     * @param thread a thread that has been told to end
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
     * @param result what another thread completes; it fails with {@code TIME_OUT} when the time is
     *        past
     * @param asked names the operation and its object
     * @return the result
     */
    public <T> T await(CompletableFuture<T> result, Object asked) {
        var interrupted = false;
        try {
            while (true) {
                try {
                    return result.get(remaining(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    result.completeExceptionally(failure(asked));
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
     * Makes an exception of the current thread from that of another.
     *
     * @param cause what the other thread has thrown
     * @return an exception with that as its cause
     */
    static RuntimeException inCurrentThread(@Nullable Throwable cause) {
        return switch (cause) {
            case DocaException e -> e.inCurrentThread();
            case IllegalStateException e -> new IllegalStateException(e.getMessage(), e);
            case IllegalArgumentException e -> new IllegalArgumentException(e.getMessage(), e);
            case null, default -> new CompletionException(cause);
        };
    }

    static DocaException failure(Object asked, Duration timeout) {
        return DocaException.of(
                DocaError.TIME_OUT,
                "doca_pe_progress",
                asked + " did not complete within " + Timeout.text(timeout),
                "Allow it more time, or check whether the worker and the service still run.",
                new byte[0]);
    }
}
