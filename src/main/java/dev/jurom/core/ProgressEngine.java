// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.core.internal.CompletionArray;
import dev.jurom.core.internal.CoreAccess;
import dev.jurom.core.internal.Poll;
import dev.jurom.core.internal.RequestServers;
import dev.jurom.core.internal.SharedEngine;
import dev.jurom.core.internal.SlotTable;
import dev.jurom.core.internal.Timeout;
import dev.jurom.runtime.DocaRuntime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Drives contexts and tasks. Stands for {@code struct doca_pe}; {@link #close()} stands for
 * {@code doca_pe_destroy}.
 *
 * <p>An engine, and every object that is connected to it, may be used only by the thread that owns
 * the engine: initially the thread that created it. {@link #release()} and {@link #acquire()}
 * transfer the ownership to another thread.
 *
 * <p>The engine has no thread of its own: {@link #progress()} polls for events and runs at most one
 * callback. A thread that has nothing else to do waits for events with {@link #waitForEvent}.
 */
public final class ProgressEngine extends Handle {

    private static final AtomicLong NUMBER = new AtomicLong();

    static {
        CoreAccess.set(new Access());
    }

    /** Number of calls without an event after which {@link #progressUntil} waits for one. */
    private static final int EMPTY_POLLS_BEFORE_WAIT = 2000;

    /**
     * Interval at which a condition is checked that may become true without an event of this
     * engine.
     */
    private static final Duration CONDITION_INTERVAL = Duration.ofMillis(10);

    private final MemorySegment handle;
    private final long address;
    private final CompletionArray completions;
    private final RequestServers servers = new RequestServers();
    private final SlotTable<Task> tasks = new SlotTable<>(); // the tasks of all contexts
    private final CallbackFailures failures = new CallbackFailures();
    private final long number = NUMBER.incrementAndGet();
    private final Arena arena = Arena.ofAuto(); // not confined, since the owner can change
    private final MemorySegment scratch = arena.allocate(ValueLayout.JAVA_LONG, 2);

    /** Tasks in flight that use memory of the caller. */
    private final Map<Task, MemoryUse> memoryTasks = new HashMap<>();

    /** Tasks in flight whose memory was freed, with the exception to throw. */
    private final Map<Task, IllegalStateException> freedTasks = new HashMap<>();

    private @Nullable Poll poll; // created at the first wait
    private int notificationHandle;
    private @Nullable Thread owner = Thread.currentThread();
    private boolean progressing;
    private boolean shared;

    /**
     * Memory that a task in flight uses.
     *
     * @param require throws an exception if the memory was freed
     * @param detach makes the library complete the task without the memory
     */
    record MemoryUse(Runnable require, Runnable detach) {}

    private ProgressEngine(MemorySegment handle, CompletionArray completions) {
        this.handle = handle;
        this.address = handle.address();
        this.completions = completions;
    }

    /**
     * Creates an engine, which the calling thread owns. Stands for {@code doca_pe_create}.
     *
     * @return an engine without contexts
     * @throws DocaException if the library cannot create it
     */
    public static ProgressEngine create() {
        DocaRuntime.current();
        var completions = new CompletionArray();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(doca_h.doca_pe_create(result), "doca_pe_create", "progress engine");
            return new ProgressEngine(result.get(ValueLayout.ADDRESS, 0), completions);
        } catch (RuntimeException | Error e) {
            completions.destroy();
            throw e;
        }
    }

    /**
     * Polls for events and runs at most one callback: for the completion of a task, or for a change
     * of a context's state. Does not block. Exceptions of the callback are rethrown. Stands for
     * {@code doca_pe_progress}.
     *
     * @return whether a callback ran
     * @throws IllegalStateException if a callback calls this method; once if a task has ended with
     *         {@code IO_FAILED} because the arena of its memory was closed while it was in flight
     */
    public boolean progress() {
        return progress(1) != 0;
    }

    /**
     * Polls for events and runs callbacks until there are no more events, which costs less than one
     * {@link #progress()} for each. The library has completed all of them before the first callback
     * starts, and the callbacks run in the order of completion. Returns early after a change of a
     * context's state. Does not block. Exceptions of callbacks are rethrown after the last one has
     * run: the first, with the others suppressed in it.
     *
     * <p>Unless the limit is reached, the last poll finds no event, which costs its time: a limit
     * equal to the number of tasks in flight avoids it.
     *
     * @param limit the maximum number of callbacks, at least 1
     * @return the number of callbacks that ran
     * @throws IllegalArgumentException if {@code limit} is less than 1
     * @throws IllegalStateException if a callback calls this method; once if a task has ended with
     *         {@code IO_FAILED} because the arena of its memory was closed while it was in flight
     */
    public int progress(int limit) {
        requireUsable();
        if (limit < 1) {
            throw new IllegalArgumentException("The limit of callbacks is " + limit + ", but must be at least 1");
        }
        if (progressing) {
            throw new IllegalStateException(this + " cannot progress inside a callback");
        }
        if (!memoryTasks.isEmpty()) {
            detachFreedMemory();
        }
        progressing = true;
        int ran;
        try {
            ran = completions.drain(address, limit);
            if (!servers.isEmpty() && servers.serve()) {
                ran = Math.max(ran, 1); // the next call processes the answer
            }
            deliver();
        } finally {
            progressing = false;
        }
        rethrow();
        return ran;
    }

    private void detachFreedMemory() {
        for (var uses = memoryTasks.entrySet().iterator(); uses.hasNext(); ) {
            var use = uses.next();
            try {
                use.getValue().require().run();
            } catch (IllegalStateException e) {
                use.getValue().detach().run();
                freedTasks.put(use.getKey(), e);
                uses.remove();
            }
        }
    }

    /** Runs the callbacks for the records that C functions have collected, in order. */
    void deliver() {
        try {
            while (completions.next()) {
                deliverOne();
            }
        } catch (DocaException e) {
            addFailure(e); // some records were lost
        }
    }

    private void deliverOne() {
        try {
            var task = tasks.get(completions.task());
            if (task != null) {
                task.complete(completions);
            } else if (completions.task() == 0) {
                contextChanged();
            }
        } catch (Throwable e) {
            addFailure(e);
        }
    }

    private void contextChanged() {
        var context = Callbacks.context(completions.context());
        if (context != null) {
            context.stateChanged(ContextState.of(completions.previous()), ContextState.of(completions.entered()));
        }
    }

    /**
     * Calls a function that may change the state of contexts. Their callbacks run before this
     * method returns, except when a callback calls it while other records are pending: then they
     * run after those.
     */
    int call(IntSupplier function) {
        var othersWait = completions.isPending();
        var status = function.getAsInt();
        if (!shared && !progressing && !servers.isEmpty()) {
            progressing = true;
            try {
                servers.serve();
            } finally {
                progressing = false;
            }
        }
        if (!othersWait) {
            deliver();
        }
        rethrow();
        return status;
    }

    /** Members that other packages of this module use. */
    private static final class Access extends CoreAccess {

        @Override
        public SharedEngine share(ProgressEngine engine) {
            engine.shared = true;
            return SharedEngine.of(engine.completions, engine.handle(), engine.notificationHandle());
        }

        @Override
        public void deliverCollected(ProgressEngine engine) {
            engine.requireUsable();
            engine.deliver();
            engine.rethrow();
        }

        @Override
        public RequestServers servers(ProgressEngine engine) {
            engine.requireOwner();
            return engine.servers;
        }

        @Override
        public MemorySegment object(Context context) {
            context.requireUsable();
            return context.object();
        }
    }

    /** Returns the tasks of this engine's contexts that are not released. */
    SlotTable<Task> tasks() {
        return tasks;
    }

    /** Returns the records of this engine's completions and changes of state. */
    CompletionArray completions() {
        return completions;
    }

    /**
     * Progresses until a condition holds, and waits for events while there is nothing to do. Blocks
     * for at most the timeout; not interruptible: the interrupt status is preserved.
     *
     * @param condition the condition, which is checked after each callback and at least every 10 ms
     * @param timeout the maximum time to wait
     * @return whether the condition held in time
     * @throws IllegalStateException if a callback calls this method
     */
    public boolean progressUntil(BooleanSupplier condition, Duration timeout) {
        var deadline = System.nanoTime() + Timeout.nanos(timeout);
        var emptyPolls = 0;
        while (!condition.getAsBoolean()) {
            if (progress()) {
                emptyPolls = 0;
                continue;
            }
            var remaining = deadline - System.nanoTime();
            if (remaining <= 0) {
                return condition.getAsBoolean();
            }
            if (++emptyPolls > EMPTY_POLLS_BEFORE_WAIT) {
                waitForEvent(shorter(Duration.ofNanos(remaining), CONDITION_INTERVAL));
            }
        }
        return true;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /**
     * Waits until there may be an event, without using the processor: requests a notification,
     * waits for it, and clears it. Before waiting again, progress until there are no more events.
     * Blocks for at most the timeout; not interruptible: the interrupt status is preserved.
     *
     * @param timeout the maximum time to wait; rounded up to milliseconds
     * @return whether there may be an event
     */
    public boolean waitForEvent(Duration timeout) {
        requestNotification();
        var ready = awaitNotification(timeout);
        clearNotification();
        return ready;
    }

    /**
     * Makes the notification handle readable at the next event, or immediately if an event is
     * pending. Does not block. Stands for {@code doca_pe_request_notification}.
     */
    public void requestNotification() {
        requireUsable();
        check(doca_h.doca_pe_request_notification(handle), "doca_pe_request_notification", this);
    }

    /**
     * Waits with {@code poll(2)} until the notification handle is readable; request a notification
     * first. Blocks in native code for at most the timeout, so a virtual thread pins its carrier
     * thread; not interruptible: the interrupt status is preserved.
     *
     * @param timeout the maximum time to wait; rounded up to milliseconds
     * @return whether the handle is readable
     */
    public boolean awaitNotification(Duration timeout) {
        requireUsable();
        if (poll == null) {
            poll = new Poll(arena, notificationHandle());
        }
        return poll.await(timeout);
    }

    /**
     * Clears the notification, so that the notification handle is no longer readable. Stands for
     * {@code doca_pe_clear_notification}.
     */
    public void clearNotification() {
        check(doca_h.doca_pe_clear_notification(handle, notificationHandle()), "doca_pe_clear_notification", this);
    }

    /**
     * Returns a file descriptor for {@code poll} and {@code epoll}, for programs with their own
     * event loop. The engine owns the descriptor: do not close it. Stands for
     * {@code doca_pe_get_notification_handle}.
     *
     * @return the file descriptor
     */
    public int notificationHandle() {
        requireUsable();
        if (notificationHandle == 0) {
            check(doca_h.doca_pe_get_notification_handle(handle, scratch), "doca_pe_get_notification_handle", this);
            notificationHandle = scratch.get(ValueLayout.JAVA_INT, 0);
        }
        return notificationHandle;
    }

    /**
     * Sets the contexts to poll. Stands for {@code doca_pe_set_event_mode}.
     *
     * @param mode the mode; the software DOCA progresses all contexts in both modes
     */
    public void setEventMode(EventMode mode) {
        requireUsable();
        check(doca_h.doca_pe_set_event_mode(handle, mode.ordinal()), "doca_pe_set_event_mode", this);
    }

    /**
     * Returns the number of tasks in flight of this engine's contexts. Stands for
     * {@code doca_pe_get_num_inflight_tasks}.
     *
     * @return 0 or more
     */
    public long tasksInFlight() {
        requireUsable();
        check(doca_h.doca_pe_get_num_inflight_tasks(handle, scratch), "doca_pe_get_num_inflight_tasks", this);
        return scratch.get(ValueLayout.JAVA_LONG, 0);
    }

    /**
     * Releases the ownership of this engine, with all connected objects. No thread may use it until
     * one acquires it.
     *
     * @throws IllegalStateException if a callback calls this method
     */
    public void release() {
        requireUsable();
        if (progressing) {
            throw new IllegalStateException(this + " cannot be released inside a callback");
        }
        owner = null;
    }

    /**
     * Acquires the ownership of this engine, with all connected objects, for the calling thread.
     * Has no effect if the calling thread already owns it. The release by the previous owner must
     * <i>happen-before</i> this call, for example through a lock.
     *
     * @throws WrongThreadException if another thread owns it
     */
    public void acquire() {
        requireOpen();
        if (owner != null) {
            requireOwner();
        }
        owner = Thread.currentThread();
    }

    /** Returns the native engine. */
    MemorySegment handle() {
        requireUsable();
        return handle;
    }

    /**
     * Returns whether the calling thread owns this engine.
     *
     * @return true for the thread that created it or acquired it last, until it releases it
     */
    public boolean isOwner() {
        return Thread.currentThread() == owner;
    }

    /** Returns room for two 64-bit results of calls, which the next use overwrites. */
    MemorySegment scratch() {
        return scratch;
    }

    /** Returns whether a callback is running on this engine's thread. */
    boolean isProgressing() {
        return progressing;
    }

    /** Records that a task that uses memory of the caller is in flight. */
    void began(Task task, MemoryUse use) {
        memoryTasks.put(task, use);
    }

    /**
     * Records that a task that uses memory of the caller is no longer in flight.
     *
     * @return its status; if the memory was freed, a failure, and the exception is added to the
     *         failures
     */
    int ended(Task task, int status) {
        memoryTasks.remove(task);
        var failure = freedTasks.remove(task);
        if (failure == null) {
            return status;
        }
        addFailure(failure);
        return DocaError.IO_FAILED.code();
    }

    /** Stores an exception of a callback, for the call that ran it. */
    void addFailure(Throwable exception) {
        failures.add(exception);
    }

    private void rethrow() {
        failures.rethrow();
        Reference.reachabilityFence(this);
    }

    @Override
    void requireOwner() {
        if (Thread.currentThread() != owner) {
            throw new WrongThreadException(this + " belongs to "
                    + (owner == null ? "no thread: acquire it first" : "thread " + owner.getName())
                    + ", but was used by thread " + Thread.currentThread().getName());
        }
    }

    @Override
    void destroy() {
        if (progressing) {
            throw new IllegalStateException(this + " cannot be closed inside a callback");
        }
        check(doca_h.doca_pe_destroy(handle), "doca_pe_destroy", this);
        completions.destroy();
    }

    @Override
    public String toString() {
        return "progress engine " + number;
    }
}
