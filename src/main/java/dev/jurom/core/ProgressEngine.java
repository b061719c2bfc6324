// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.core.internal.CompletionArray;
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
 * What makes contexts and tasks move. Stands for {@code struct doca_pe}.
 *
 * <p>An engine and everything that is connected to it belong to the thread that made it. Nothing
 * happens by itself: {@link #progress()} looks for what has arrived and runs at most one callback.
 * A thread that has nothing else to do waits in between, with {@link #waitForEvent}.
 *
 * <p>{@link #release()} and {@link #acquire()} hand an engine from one thread to another;
 * {@link #close()} stands for {@code doca_pe_destroy}.
 */
public final class ProgressEngine extends Handle {

    private static final AtomicLong NUMBER = new AtomicLong();

    /** How often {@link #progressUntil} finds nothing before it waits for an event. */
    private static final int FRUITLESS_BEFORE_WAIT = 2000;

    /** A condition may come true without an event of this engine: it is looked at this often. */
    private static final Duration LONGEST_WAIT = Duration.ofMillis(10);

    private final MemorySegment handle;
    private final long address;
    private final CompletionArray completions;
    private final RequestServers servers = new RequestServers();
    private final SlotTable<Task> tasks = new SlotTable<>(); // of all contexts
    private final CallbackFailures failures = new CallbackFailures();
    private final long number = NUMBER.incrementAndGet();
    private final Arena arena = Arena.ofAuto(); // outlives a change of threads
    private final MemorySegment scratch = arena.allocate(ValueLayout.JAVA_LONG, 2);

    /** Tasks in flight that work on the caller's memory. */
    private final Map<Task, MemoryUse> memoryTasks = new HashMap<>();

    /** Tasks in flight whose memory is gone, with the exception for the caller. */
    private final Map<Task, IllegalStateException> lostTasks = new HashMap<>();

    private @Nullable Poll poll; // made at the first wait
    private int notificationHandle;
    private @Nullable Thread owner = Thread.currentThread();
    private boolean progressing;
    private boolean shared;

    /**
     * Memory that a task in flight works on.
     *
     * @param require throws if the memory is gone
     * @param leave has the library end the task without it
     */
    record MemoryUse(Runnable require, Runnable leave) {}

    private ProgressEngine(MemorySegment handle, CompletionArray completions) {
        this.handle = handle;
        this.address = handle.address();
        this.completions = completions;
    }

    /**
     * Makes an engine that belongs to the calling thread. Stands for {@code doca_pe_create}.
     *
     * @return an engine without contexts
     * @throws DocaException if the library cannot make one
     */
    public static ProgressEngine create() {
        DocaRuntime.current();
        var completions = new CompletionArray();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(doca_h.doca_pe_create(result), "doca_pe_create", "progress engine");
            return new ProgressEngine(result.get(ValueLayout.ADDRESS, 0), completions);
        } catch (RuntimeException e) {
            completions.destroy();
            throw e;
        }
    }

    /**
     * Looks for work and runs at most one callback: the completion of a task, or a context's change
     * of state. Stands for {@code doca_pe_progress}.
     *
     * @return whether it ran one
     * @throws IllegalStateException if it is called from inside a callback; once if a task has ended
     *         with {@code IO_FAILED} because the arena of its memory was closed in flight
     */
    public boolean progress() {
        return progress(1) != 0;
    }

    /**
     * Looks for work and runs callbacks as long as there are any: cheaper than one
     * {@link #progress()} for each. All that it runs has been completed by the library before the
     * first callback starts; they run in the order of completion. After a context's change of state
     * it returns. Short of the limit it looks once more before that: a limit above what is in
     * flight costs the time of a look.
     *
     * @param limit how many callbacks at most: 1 or more
     * @return how many it ran
     * @throws IllegalArgumentException if the limit is less than 1
     * @throws IllegalStateException if it is called from inside a callback; once if a task has ended
     *         with {@code IO_FAILED} because the arena of its memory was closed in flight
     */
    public int progress(int limit) {
        requireUsable();
        if (limit < 1) {
            throw new IllegalArgumentException("A limit of " + limit + " callbacks lets nothing run: give 1 or more");
        }
        if (progressing) {
            throw new IllegalStateException(this + " cannot progress from inside a callback");
        }
        if (!memoryTasks.isEmpty()) {
            leaveLostMemory();
        }
        progressing = true;
        int ran;
        try {
            ran = completions.drain(address, limit);
            if (!servers.isEmpty() && servers.serve()) {
                ran = Math.max(ran, 1); // the next call finds the answer
            }
            deliver();
        } finally {
            progressing = false;
        }
        rethrow();
        return ran;
    }

    private void leaveLostMemory() {
        for (var uses = memoryTasks.entrySet().iterator(); uses.hasNext(); ) {
            var use = uses.next();
            try {
                use.getValue().require().run();
            } catch (IllegalStateException e) {
                use.getValue().leave().run();
                lostTasks.put(use.getKey(), e);
                uses.remove();
            }
        }
    }

    /** Has callbacks run, in their order, for what C functions have kept. */
    void deliver() {
        try {
            while (completions.next()) {
                deliverOne();
            }
        } catch (DocaException e) {
            keep(e); // some were lost
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
            keep(e);
        }
    }

    private void contextChanged() {
        var context = Callbacks.context(completions.context());
        if (context != null) {
            context.stateChanged(ContextState.of(completions.previous()), ContextState.of(completions.entered()));
        }
    }

    /**
     * Makes a call that may change the state of contexts. Their callbacks run before this returns,
     * unless it is called from a callback behind which others wait: then they run after those.
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

    /**
     * Shares this engine with other threads, which submit commands and progress it in C. This
     * thread holds the returned lock whenever it uses this engine, and serves {@link #servers()}
     * itself.
     *
     * @return to be destroyed before this engine is closed
     * @hidden
     */
    @SuppressWarnings("exports") // for the facade
    public SharedEngine share() {
        shared = true;
        return SharedEngine.of(completions, handle(), notificationHandle());
    }

    /**
     * Runs the callbacks for the collected records, without progressing.
     *
     * @hidden
     */
    public void deliverCollected() {
        requireUsable();
        deliver();
        rethrow();
    }

    /**
     * Serves the requests that contexts of this engine record.
     *
     * @return the same for life
     * @hidden
     */
    @SuppressWarnings("exports") // for this module alone
    public RequestServers servers() {
        requireOwner();
        return servers;
    }

    /** The tasks of this engine's contexts that are not released. */
    SlotTable<Task> tasks() {
        return tasks;
    }

    /** What the callbacks of this engine's tasks and contexts keep. */
    CompletionArray completions() {
        return completions;
    }

    /**
     * Progresses until a condition holds, and waits for events when there is nothing to do.
     *
     * @param condition what to wait for; looked at after each callback, and at least every 10 ms
     * @param timeout how long at most
     * @return whether the condition came true in time
     */
    public boolean progressUntil(BooleanSupplier condition, Duration timeout) {
        var deadline = System.nanoTime() + Timeout.nanos(timeout);
        var fruitless = 0;
        while (!condition.getAsBoolean()) {
            if (progress()) {
                fruitless = 0;
                continue;
            }
            var remaining = deadline - System.nanoTime();
            if (remaining <= 0) {
                return condition.getAsBoolean();
            }
            if (++fruitless > FRUITLESS_BEFORE_WAIT) {
                waitForEvent(shorter(Duration.ofNanos(remaining), LONGEST_WAIT));
            }
        }
        return true;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /**
     * Waits until there may be work, without using the processor: asks for a notification, waits
     * for it, and clears it. Progress until nothing is left before waiting again.
     *
     * @param timeout how long at most; rounded up to milliseconds
     * @return whether there may be work
     */
    public boolean waitForEvent(Duration timeout) {
        requestNotification();
        var ready = awaitNotification(timeout);
        clearNotification();
        return ready;
    }

    /**
     * Has the notification handle become readable at the next event, or at once if there is one
     * already. Stands for {@code doca_pe_request_notification}.
     */
    public void requestNotification() {
        requireUsable();
        check(doca_h.doca_pe_request_notification(handle), "doca_pe_request_notification", this);
    }

    /**
     * Waits until the notification handle is readable, by {@code poll(2)}; ask for a notification
     * first. The thread blocks in native code: a virtual thread would hold its carrier.
     *
     * @param timeout how long at most; rounded up to milliseconds
     * @return whether it is readable
     */
    public boolean awaitNotification(Duration timeout) {
        requireUsable();
        if (poll == null) {
            poll = new Poll(arena, notificationHandle());
        }
        return poll.await(timeout);
    }

    /** Makes the notification handle quiet again. Stands for {@code doca_pe_clear_notification}. */
    public void clearNotification() {
        check(doca_h.doca_pe_clear_notification(handle, notificationHandle()), "doca_pe_clear_notification", this);
    }

    /**
     * A file descriptor for {@code poll} and {@code epoll}, for programs with an event loop of
     * their own. It belongs to this engine. Stands for {@code doca_pe_get_notification_handle}.
     *
     * @return the descriptor
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
     * Chooses which contexts are looked at. Stands for {@code doca_pe_set_event_mode}.
     *
     * @param mode the mode; the software DOCA progresses all contexts in both
     */
    public void setEventMode(EventMode mode) {
        requireUsable();
        check(doca_h.doca_pe_set_event_mode(handle, mode.ordinal()), "doca_pe_set_event_mode", this);
    }

    /**
     * How many tasks of this engine's contexts are in flight. Stands for
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
     * Gives this engine up, with all that is connected to it: it then belongs to no thread, until
     * one acquires it.
     *
     * @throws IllegalStateException if it is called from inside a callback
     */
    public void release() {
        requireUsable();
        if (progressing) {
            throw new IllegalStateException(this + " cannot change hands inside a callback");
        }
        owner = null;
    }

    /**
     * Takes this engine, with all that is connected to it, for the calling thread. No effect if it
     * has it already. The release by the previous thread must happen before, as through a lock.
     *
     * @throws WrongThreadException if another thread has it
     */
    public void acquire() {
        requireOpen();
        if (owner != null) {
            requireOwner();
        }
        owner = Thread.currentThread();
    }

    /** The native engine. */
    MemorySegment handle() {
        requireUsable();
        return handle;
    }

    /**
     * Whether this engine belongs to the calling thread.
     *
     * @return true for the thread that made or acquired it
     */
    public boolean isOwner() {
        return Thread.currentThread() == owner;
    }

    /** Two 64-bit numbers for results of calls; overwritten by the next use. */
    MemorySegment scratch() {
        return scratch;
    }

    /** Whether a callback is running on this engine's thread. */
    boolean isProgressing() {
        return progressing;
    }

    /** A task that works on the caller's memory is in flight. */
    void began(Task task, MemoryUse use) {
        memoryTasks.put(task, use);
    }

    /**
     * A task that works on the caller's memory is in flight no more.
     *
     * @return its status: a failure if the memory is gone, which the caller learns by an exception
     */
    int ended(Task task, int status) {
        memoryTasks.remove(task);
        var lost = lostTasks.remove(task);
        if (lost == null) {
            return status;
        }
        keep(lost);
        return DocaError.IO_FAILED.code();
    }

    /** Keeps what a callback has thrown, for the call that let it run. */
    void keep(Throwable callbackThrew) {
        failures.keep(callbackThrew);
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
                    + "; it was used by thread " + Thread.currentThread().getName());
        }
    }

    @Override
    void destroy() {
        if (progressing) {
            throw new IllegalStateException(this + " cannot be closed from inside a callback");
        }
        check(doca_h.doca_pe_destroy(handle), "doca_pe_destroy", this);
        completions.destroy();
    }

    @Override
    public String toString() {
        return "progress engine " + number;
    }
}
