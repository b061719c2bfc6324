// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.plugin.Offload;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A future that the completion executor of an engine completes. Waiting for it on the engine thread,
 * which would wait for itself, throws {@link IllegalStateException}.
 *
 * @param <R> the type of the answer
 */
public final class PendingAnswer<R> extends CompletableFuture<R> {

    private final Thread engineThread;
    private final @Nullable Offload<?, R> offload; // null: not a command's
    private final @Nullable Function<CommandEnd, RuntimeException> failures;
    private volatile @Nullable Deadline deadline; // null: a sweep sets it

    PendingAnswer(
            Thread engineThread,
            @Nullable Offload<?, R> offload,
            @Nullable Function<CommandEnd, RuntimeException> failures,
            @Nullable Deadline deadline) {
        this.engineThread = engineThread;
        this.offload = offload;
        this.failures = failures;
        this.deadline = deadline;
    }

    /** When this fails with {@code TIME_OUT}; null if no sweep has seen this yet. */
    @Nullable
    Deadline deadline() {
        return deadline;
    }

    /** Sets the deadline, unless there is one. */
    void limit(Deadline usual) {
        if (deadline == null) {
            deadline = usual;
        }
    }

    /** Returns whether {@link #unpacked} is called with the response where it arrives. */
    boolean unpacksAtOnce() {
        return offload != null && offload.unpacksAtOnce();
    }

    /** Unpacks a response, and returns what completes this on any thread, when the response is no longer valid. */
    Runnable unpacked(MemorySegment response) {
        try {
            var answer = Objects.requireNonNull(offload).unpack(response);
            return () -> complete(answer);
        } catch (Throwable e) { // other languages throw checked exceptions here
            return () -> completeExceptionally(e);
        }
    }

    /** Completes this with the answer of a command, or its failure. */
    void end(CommandEnd end) {
        if (isDone() || offload == null || failures == null) {
            return;
        }
        R answer;
        try {
            if (!end.error().isSuccess()) {
                throw failures.apply(end);
            }
            answer = offload.unpack(end.response());
        } catch (Throwable e) { // other languages throw checked exceptions here
            completeExceptionally(e);
            return;
        }
        complete(answer);
    }

    private void requireOtherThread() {
        if (Thread.currentThread() == engineThread && !isDone()) {
            throw new IllegalStateException("The engine thread cannot wait for an answer, which it"
                    + " has to receive itself: use a completion executor with other threads");
        }
    }

    @Override
    public R join() {
        requireOtherThread();
        return super.join();
    }

    @Override
    public R get() throws InterruptedException, ExecutionException {
        requireOtherThread();
        return super.get();
    }

    @Override
    public R get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        requireOtherThread();
        return super.get(timeout, unit);
    }

    /** Returns a future for which the engine thread cannot wait either. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new PendingAnswer<>(engineThread, null, null, null);
    }
}
