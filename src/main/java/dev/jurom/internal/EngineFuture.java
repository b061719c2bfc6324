// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A future that the completion executor completes. Waiting for it on the engine thread, which would wait for
 * itself, throws {@link IllegalStateException}.
 *
 * <p>If the JDK fails while it completes this, for lack of memory, it loses dependent futures. This class
 * therefore keeps weak references to all futures that depend on it, directly or not. The completion is repeated, and
 * the lost futures fail.
 *
 * @param <T> the type of the result
 */
class EngineFuture<T> extends CompletableFuture<T> implements Deliveries.Completion {

    private static final VarHandle DEPENDENTS = field("dependents", Dependent.class);
    private static final VarHandle BEGUN = field("begun", boolean.class);
    private static final VarHandle LISTED = field("listed", boolean.class);

    final Deliveries deliveries;
    private final EngineFuture<?> root; // this, or the future on which this depends

    private Deliveries.@Nullable Completion next; // in the list of retries
    private volatile boolean listed; // in that list
    private volatile boolean finished; // an attempt to complete this was successful

    private volatile @Nullable Dependent dependents;
    private volatile boolean begun; // the executor may run a completion twice
    private volatile @Nullable Throwable failure; // of an earlier attempt to complete this

    /** A future that depends on this one. */
    private static final class Dependent extends WeakReference<EngineFuture<?>> {

        final @Nullable Dependent next;

        Dependent(EngineFuture<?> future, @Nullable Dependent next) {
            super(future);
            this.next = next;
        }
    }

    private static VarHandle field(String name, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(EngineFuture.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    EngineFuture(Deliveries deliveries) {
        this.deliveries = deliveries;
        this.root = this;
    }

    private EngineFuture(EngineFuture<?> root) {
        this.deliveries = root.deliveries;
        this.root = root;
    }

    /** Completes this, on the executor. Throws nothing: a failed completion is repeated. */
    @Override
    public final void run() {
        try {
            var failed = failure;
            if (failed != null) {
                failAll(failed);
                finished = true;
            } else if (BEGUN.compareAndSet(this, false, true)) {
                finish();
                dependents = null;
                finished = true;
            }
        } catch (Throwable e) {
            if (failure == null) {
                failure = e;
            }
            deliveries.retry(this);
        }
    }

    @Override
    public final boolean enlist() {
        return LISTED.compareAndSet(this, false, true);
    }

    @Override
    public final void setNext(Deliveries.@Nullable Completion inList) {
        next = inList;
    }

    @Override
    public final Deliveries.@Nullable Completion delist() {
        var following = next;
        next = null;
        listed = false;
        return following;
    }

    /** Completes this with its result. */
    void finish() {}

    /** Fails this and the dependent futures that an earlier attempt has not completed. */
    private void failAll(Throwable reason) {
        completeExceptionally(reason); // runs the remaining dependents if this is completed
        for (var dependent = dependents; dependent != null; dependent = dependent.next) {
            var future = dependent.get();
            if (future != null) {
                future.completeExceptionally(reason);
            }
        }
        dependents = null;
    }

    /** Returns a dependent future. */
    @Override
    public final <U> CompletableFuture<U> newIncompleteFuture() {
        var future = new EngineFuture<U>(root);
        if (!root.finished) { // else this future is complete, or another one completes it
            root.add(future);
        }
        return future;
    }

    private void add(EngineFuture<?> future) {
        Dependent next;
        do {
            next = dependents;
        } while (!DEPENDENTS.compareAndSet(this, next, new Dependent(future, next)));
    }

    private void requireOtherThread() {
        if (deliveries.isEngineThread() && !isDone()) {
            throw new IllegalStateException("The engine thread cannot wait for an answer, which it"
                    + " has to receive itself: use a completion executor with other threads");
        }
    }

    /**
     * Waits for the answer instead of the engine thread, and drives the engine meanwhile. Returns after this time, or
     * earlier if that is not possible.
     */
    void drive(long nanoseconds) {}

    @Override
    public T join() {
        requireOtherThread();
        if (!isDone()) {
            drive(Long.MAX_VALUE);
        }
        return super.join();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        requireOtherThread();
        if (!isDone()) {
            drive(Long.MAX_VALUE);
        }
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        requireOtherThread();
        var nanoseconds = unit.toNanos(timeout);
        var start = System.nanoTime();
        if (!isDone() && nanoseconds > 0) {
            drive(nanoseconds);
        }
        return super.get(nanoseconds - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
    }
}
