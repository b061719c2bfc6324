// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.core.internal.SharedEngine;
import dev.jurom.core.internal.Timeout;
import dev.jurom.plugin.Offload;
import dev.jurom.urom.UromWorker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A progress engine to which any thread may submit commands.
 *
 * <p>A caller that waits drives the engine itself, in one native call ({@link Calls}); no Java runs while it
 * holds the engine's lock. The {@linkplain EngineThread engine thread} owns all native objects. It runs no code of
 * the application, which runs on the completion executor, except
 * {@linkplain Offload#unpacksAtOnce answers that are unpacked at once}. docs/architecture.md describes the
 * protocol. This class is thread-safe.
 */
public final class Engine {

    private final Thread thread;
    private final EngineThread loop;
    private final CompletionThreads threads;
    private final Deliveries deliveries;
    private final long spinNanos;
    private final Duration callTimeout;

    /** Creates the progress engine. The calling thread becomes the engine thread. */
    private Engine(long spinNanos, Optional<Duration> callTimeout, Optional<Executor> executor) {
        this.thread = Thread.currentThread();
        this.spinNanos = spinNanos;
        this.callTimeout = callTimeout.orElse(Duration.ofNanos(Long.MAX_VALUE / 2));
        this.threads = new CompletionThreads();
        this.loop = new EngineThread(spinNanos, callTimeout, threads, executor.orElse(threads));
        this.deliveries = loop.deliveries();
        deliveries.warmUp(new EngineFuture<>(deliveries));
    }

    /**
     * Begins to start an engine. Never blocks.
     *
     * @param spinNanos time in nanoseconds for which a thread polls without events before it sleeps
     * @param callTimeout the maximum time of a command without a deadline of its own; empty: unlimited
     * @param executor completes futures; empty: threads of the engine's own
     * @return an engine, to be {@linkplain #await(CompletableFuture) awaited} and {@linkplain #stop stopped}
     */
    public static CompletableFuture<Engine> begin(
            long spinNanos, Optional<Duration> callTimeout, Optional<Executor> executor) {
        var begun = new CompletableFuture<Engine>();
        Thread.ofPlatform()
                .inheritInheritableThreadLocals(false)
                .daemon()
                .name("urom")
                .start(() -> {
                    try {
                        begun.complete(new Engine(spinNanos, callTimeout, executor));
                    } catch (Throwable e) {
                        begun.completeExceptionally(e);
                        return;
                    }
                    begun.resultNow().loop.run();
                });
        return begun;
    }

    /**
     * Waits until the engine thread has created the progress engine. Blocks for at most one minute.
     *
     * @param begun the engine that was begun
     * @return the engine, which runs
     * @throws DocaException if it cannot be created
     */
    public static Engine await(CompletableFuture<Engine> begun) {
        return Deadline.in(Deadline.OPERATION_TIMEOUT).await(begun, "the start of the progress engine");
    }

    /**
     * Returns the progress engine.
     *
     * @return the engine, for the engine thread while it runs a request
     */
    public ProgressEngine progress() {
        return loop.progress();
    }

    /**
     * Returns whether the current thread is the engine thread.
     *
     * @return true in completions of an executor that runs them at once
     */
    public boolean isEngineThread() {
        return Thread.currentThread() == thread;
    }

    /**
     * Returns whether this was stopped.
     *
     * @return true if the engine thread ends, or has ended
     */
    public boolean isStopped() {
        return loop.isStopped();
    }

    /**
     * Requires that the current thread may wait for the engine thread.
     *
     * @throws IllegalStateException if it is the engine thread
     */
    public void requireOtherThread() {
        if (isEngineThread()) {
            throw new IllegalStateException(
                    "The engine thread cannot wait for itself: use a completion executor with other threads");
        }
    }

    /**
     * Requires that the current thread may begin a blocking call: it is not the engine thread, and
     * has enough stack left to end the call.
     *
     * @throws IllegalStateException if it is the engine thread
     * @throws StackOverflowError if the stack is nearly used up
     */
    public void requireCaller() {
        requireOtherThread();
        requireStack();
    }

    /**
     * Requires that the current thread may begin an operation whose end it awaits interruptibly.
     *
     * @throws IllegalStateException if it is the engine thread
     * @throws InterruptedException if it is interrupted
     */
    public void requireStarter() throws InterruptedException {
        requireOtherThread();
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /**
     * Requires that enough stack is left to begin and to end a command.
     *
     * @throws StackOverflowError if the stack is nearly used up
     */
    public void requireStack() {
        if (SharedEngine.isStackLow()) {
            throw new StackOverflowError("too little stack is left to begin a command");
        }
    }

    /**
     * Runs a request on the engine thread while that holds the lock.
     *
     * @param request the request; it must not block, and reports its failures itself
     * @throws IllegalStateException if this is stopped
     */
    public void execute(Runnable request) {
        loop.execute(request);
    }

    /**
     * Begins an operation on the engine thread that ends later.
     *
     * @param <T> the type of its result
     * @param result receives the result; dependent actions run on the engine thread
     * @param action begins the operation, which completes the future
     * @param deadline when the future fails with {@code TIME_OUT}
     * @param operation names the operation and its object
     * @return the future
     * @throws IllegalStateException if this is stopped
     */
    public <T> CompletableFuture<T> ask(
            CompletableFuture<T> result, Consumer<CompletableFuture<T>> action, Deadline deadline, Object operation) {
        execute(() -> {
            try {
                var expiry = deliveries.deadlines().add(deadline, operation, result::completeExceptionally);
                result.whenComplete((value, failure) -> deliveries.deadlines().remove(expiry));
                action.accept(result);
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /**
     * Runs an action once a condition holds. Called on the engine thread, which checks the condition at least every
     * millisecond.
     *
     * @param condition the condition
     * @param action the action, which runs while the lock is held
     */
    public void when(BooleanSupplier condition, Runnable action) {
        loop.when(condition, action);
    }

    /**
     * Returns a future that completes when no request and no condition is pending.
     *
     * @param deadline when it fails with {@code TIME_OUT}
     * @return a future without a result
     */
    public CompletableFuture<Void> quiet(Deadline deadline) {
        return ask(
                new CompletableFuture<>(),
                quiet -> when(loop::isQuiet, () -> quiet.complete(null)),
                deadline,
                "the last request to the progress engine");
    }

    /**
     * Waits for a result. Not interruptible: the interrupt status is preserved.
     *
     * @param <T> the type of the result
     * @param result a future that the engine thread completes; it fails with {@code TIME_OUT} at the deadline
     * @param deadline the deadline
     * @param operation names the operation and its object
     * @return the result
     * @throws IllegalStateException if the current thread is the engine thread
     */
    public <T> T await(CompletableFuture<T> result, Deadline deadline, Object operation) {
        requireOtherThread();
        return deadline.await(result, operation);
    }

    /**
     * Creates a future for the application from a result of the engine thread.
     *
     * @param <T> the type of the result
     * @param result a future that the engine thread completes; it fails when the returned future is cancelled
     * @param unwanted receives a result that arrives too late, on a thread of the executor
     * @return a future that the completion executor completes
     */
    public <T> CompletableFuture<T> view(CompletableFuture<T> result, Consumer<T> unwanted) {
        var view = follow(result, unwanted);
        view.whenComplete((value, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
            }
        });
        return view;
    }

    /**
     * Creates a future for the application that follows a future of the engine thread.
     *
     * @param <T> the type of the result
     * @param source a future that the engine thread completes or cancels
     * @param unwanted receives a result that arrives too late, on a thread of the executor
     * @return a future that the completion executor completes or cancels; it is complete if the source is
     */
    public <T> CompletableFuture<T> follow(CompletableFuture<T> source, Consumer<T> unwanted) {
        var following = new FollowingFuture<>(deliveries, source, unwanted);
        following.begin();
        return following;
    }

    /**
     * Creates a future for the application. A thread that waits for it drives the engine until the awaited one is done.
     *
     * @param <T> the type of the result
     * @param awaited returns the future of this engine on which the result depends at present; null if there is none
     * @return a future that the caller completes
     */
    public <T> CompletableFuture<T> newFuture(Supplier<@Nullable CompletableFuture<?>> awaited) {
        return new EngineFuture<>(deliveries) {
            @Override
            void drive(long nanoseconds) {
                if (awaited.get() instanceof EngineFuture<?> current) {
                    current.drive(nanoseconds);
                }
            }
        };
    }

    /**
     * Returns the deadline of a command without a timeout of its own.
     *
     * @param begin the time at which it was submitted, a value of {@link System#nanoTime()}
     * @return the deadline, after the call timeout
     */
    public Deadline callDeadline(long begin) {
        return new Deadline(begin + Timeout.nanos(callTimeout), callTimeout);
    }

    /**
     * Ends the engine thread. Close all contexts first: the native engine is kept while callers may
     * have slots.
     *
     * @param deadline the deadline
     * @throws DocaException with {@code TIME_OUT} if the engine thread, or a completion, has not ended
     * @throws RuntimeException if the progress engine could not be destroyed
     */
    public void stop(Deadline deadline) {
        loop.stop();
        deadline.join(thread);
        if (thread.isAlive()) {
            throw deadline.failure("the end of the engine thread");
        }
        deliveries.repeat();
        if (!threads.close(deadline)) {
            throw deadline.failure("the end of the completion threads " + threads.alive());
        }
        var failure = loop.teardownFailure();
        if (failure != null) {
            throw Deadline.inCurrentThread(failure);
        }
    }

    /**
     * Creates the slots of a worker. Called on the engine thread.
     *
     * @param worker the worker, which runs
     * @param plugin the id of one of its plugins
     * @param count the number of slots, a power of two
     * @param name the name of the worker in messages of time-outs
     * @return the slots, to be {@linkplain #remove removed}
     */
    public CommandSlots add(UromWorker worker, long plugin, int count, Object name) {
        return loop.add(worker, plugin, count, name);
    }

    /**
     * Creates the object with which threads submit commands to a worker.
     *
     * @param slots the slots of the worker
     * @return an object for all threads
     */
    public Calls calls(CommandSlots slots) {
        return new Calls(loop.shared(), slots, deliveries, callTimeout, spinNanos);
    }

    /**
     * Frees the slots of a worker, all of which are {@linkplain CommandSlots#closeSlots closed}. Called on the engine
     * thread. No effect if they are freed.
     *
     * @param slots the slots
     * @throws IllegalStateException if a channel or a native call uses a payload; call this method
     *         again
     */
    public void remove(CommandSlots slots) {
        loop.remove(slots);
    }
}
