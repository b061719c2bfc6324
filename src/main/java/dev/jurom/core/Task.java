// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.core.internal.CompletionArray;
import dev.jurom.core.internal.DirectCalls;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * A unit of work for a context. Stands for {@code struct doca_task}.
 *
 * <p>A task is created once and may be submitted many times, also by its own completion callback.
 * From a successful submit until that callback it is <em>in flight</em>, and the library owns its
 * buffers. {@link #close()} releases it. A task that is closed in flight is <em>abandoned</em>: the
 * library keeps its buffers until it completes, and no listener is called.
 *
 * <p>Submitting a task, completing it and reading its result allocate nothing. A task may be used
 * only by the thread that owns the engine of its context.
 */
public abstract class Task implements AutoCloseable {

    // The states, in order. They are numbers because storing a reference costs a barrier of the
    // garbage collector.
    private static final int READY = 0;
    private static final int COMPLETED = 1;
    private static final int IN_FLIGHT = 2;
    private static final int ABANDONED = 3;
    private static final int RELEASED = 4;

    private final Context context;
    private final ProgressEngine engine;
    private final NativeTask task;
    private final long address;
    private final long ticket;
    private final long source; // the user data of the native task

    private int state = READY;
    private int status; // the code of a DocaError

    /**
     * A native task, as an object of its library and as a {@code struct doca_task}.
     *
     * @param object the object of the library
     * @param task the same object as a {@code struct doca_task}
     * @param response the {@code struct doca_buf} of a command's response; the null pointer for
     *         other tasks
     * @param releaseFunction the name of the function that releases it
     * @param release that function, which takes {@code object}
     */
    protected record NativeTask(
            MemorySegment object,
            MemorySegment task,
            MemorySegment response,
            String releaseFunction,
            ToIntFunction<MemorySegment> release) {

        /** Creates a description of a task. */
        public NativeTask {}

        /**
         * Creates a description of a task without a response.
         *
         * @param object the object of the library
         * @param task the same object as a {@code struct doca_task}
         * @param releaseFunction the name of the function that releases it
         * @param release that function, which takes {@code object}
         */
        public NativeTask(
                MemorySegment object,
                MemorySegment task,
                String releaseFunction,
                ToIntFunction<MemorySegment> release) {
            this(object, task, MemorySegment.NULL, releaseFunction, release);
        }
    }

    /**
     * Registers a native task with its context.
     *
     * @param context the context that runs it
     * @param task the native task
     */
    protected Task(Context context, NativeTask task) {
        this.context = context;
        this.engine = context.engine();
        this.task = task;
        this.address = task.task().address();
        this.ticket = context.tasks().add(this);
        this.source = makeSource();
        DirectCalls.setTaskUserData(address, source);
    }

    private long makeSource() {
        try {
            return engine.completions().taskSource(context.ticket(), ticket, task.task(), task.response());
        } catch (RuntimeException | Error e) {
            task.release().applyAsInt(task.object());
            context.tasks().remove(ticket);
            throw e;
        }
    }

    /**
     * Returns the callback to set on every native task at its creation, which leads to
     * {@link #completed()}.
     *
     * @return a function pointer
     */
    protected static MemorySegment completionCallback() {
        return CompletionArray.TASK_CALLBACK;
    }

    /**
     * Returns the context that runs this task. In place of {@code doca_task_get_ctx}.
     *
     * @return the context, always the same
     */
    public Context context() {
        return context;
    }

    /**
     * Submits this task. Until it completes, the library owns its buffers: do not access them. Does
     * not block. Stands for {@code doca_task_submit}.
     *
     * @throws IllegalStateException if this task is in flight or closed
     * @throws DocaException if the library rejects it, with {@code BAD_STATE} if the context is not
     *         running; it is then not in flight
     */
    public final void submit() {
        requireIdle();
        beforeSubmit();
        check(
                isQuickToSubmit() ? DirectCalls.submitQuickly(address) : DirectCalls.submit(address),
                "doca_task_submit",
                this);
        begin();
    }

    /**
     * Submits this task, unless a resource is temporarily unavailable. Does not block. Stands for
     * {@code doca_task_try_submit}.
     *
     * @return whether it was submitted; if not, progress the engine and try again
     * @throws IllegalStateException if this task is in flight or closed
     * @throws DocaException if the library rejects it; it is then not in flight
     */
    public final boolean trySubmit() {
        requireIdle();
        beforeSubmit();
        var answer = doca_h.doca_task_try_submit(task.task());
        if (answer == DocaError.AGAIN.code()) {
            return false;
        }
        check(answer, "doca_task_try_submit", this);
        begin();
        return true;
    }

    /**
     * Submits this task with options. Does not block. Stands for {@code doca_task_submit_ex}.
     *
     * @param flags the options
     * @throws IllegalStateException if this task is in flight or closed
     * @throws DocaException if the library rejects it; it is then not in flight
     */
    public final void submit(Set<SubmitFlag> flags) {
        requireIdle();
        beforeSubmit();
        var bits = 0;
        for (var flag : flags) {
            bits |= flag.bit();
        }
        check(doca_h.doca_task_submit_ex(task.task(), bits), "doca_task_submit_ex", this);
        begin();
    }

    /**
     * Returns whether this task is in flight.
     *
     * @return true from a successful submit until the completion callback starts, or this task is
     *         closed
     */
    public final boolean isInFlight() {
        return state == IN_FLIGHT;
    }

    /**
     * Returns whether this task has completed since it was last submitted.
     *
     * @return true from the completion callback until this task is submitted again or closed
     */
    public final boolean isCompleted() {
        return state == COMPLETED;
    }

    /**
     * Returns whether this task is open.
     *
     * @return false once it is closed
     */
    public final boolean isOpen() {
        return state <= IN_FLIGHT;
    }

    /**
     * Returns the status with which this task completed. Stands for {@code doca_task_get_status}.
     *
     * @return {@link DocaError#SUCCESS}, or the error
     * @throws IllegalStateException if this task has not completed since it was last submitted
     */
    public final DocaError status() {
        requireCompleted();
        return DocaError.of(status);
    }

    /**
     * Throws an exception unless this task completed successfully.
     *
     * @throws IllegalStateException if this task has not completed since it was last submitted
     * @throws DocaException if it failed
     */
    public final void requireSuccess() {
        requireCompleted();
        if (status != 0) {
            throw new DocaException(status(), "doca_task_submit", toString(), advice());
        }
    }

    /**
     * Returns advice on how to correct the failure of this task.
     *
     * @return one or two sentences: the advice of the status, and further information if available
     * @throws IllegalStateException if this task has not completed since it was last submitted
     */
    public String advice() {
        return status().advice();
    }

    /**
     * Releases this task. Has no effect if it is closed. The completion callback may call this
     * method. Does not block. Stands for {@code doca_task_free}.
     *
     * <p>A task in flight is abandoned: its listener is no longer called and its views become
     * invalid. The library keeps its buffers until it completes, and it counts towards the maximum
     * number of tasks of its context until then. It completes when its context is stopped at the
     * latest.
     *
     * @throws IllegalStateException if this task belongs to a pool, which closes it
     * @throws WrongThreadException if another thread owns it
     */
    @Override
    public final void close() {
        if (!isOpen()) {
            return;
        }
        engine.requireOwner();
        requireClosable();
        if (state == IN_FLIGHT) {
            state = ABANDONED;
            context.tasks().abandon();
        } else {
            release();
        }
        closed();
    }

    private void release() {
        check(task.release().applyAsInt(task.object()), task.releaseFunction(), this);
        state = RELEASED;
        context.tasks().remove(ticket);
        CompletionArray.free(source);
    }

    /**
     * Returns whether the library needs only a few microseconds to submit this task.
     *
     * @return false, unless overridden
     */
    protected boolean isQuickToSubmit() {
        return false;
    }

    /**
     * Called when this task has completed, before {@link #completed()}.
     *
     * @param address the address of the response to a command; 0 if it must be queried from the
     *         library
     * @param length the length of the response in bytes
     */
    protected void answered(long address, long length) {}

    /** Called when this task has completed; the status is available. */
    protected abstract void completed();

    /** Checks that this task may be closed; throws an exception if not. */
    protected void requireClosable() {}

    /** Called when this task is closed; an abandoned task is still in flight. */
    protected void closed() {}

    /**
     * Checks that this task is open and not in flight, and that the calling thread owns it.
     *
     * @throws IllegalStateException if it is in flight or closed
     * @throws WrongThreadException if another thread owns it
     */
    protected final void requireIdle() {
        engine.requireOwner();
        if (state >= IN_FLIGHT) {
            requireUsable();
            throw new IllegalStateException(this + " is in flight: wait until it completes");
        }
    }

    /**
     * Checks that this task is open and that the calling thread owns it.
     *
     * @throws IllegalStateException if it is closed
     * @throws WrongThreadException if another thread owns it
     */
    protected final void requireUsable() {
        engine.requireOwner();
        if (!isOpen()) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /**
     * Checks that this task has completed and was not submitted again.
     *
     * @throws IllegalStateException if it has not completed
     * @throws WrongThreadException if another thread owns it
     */
    protected final void requireCompleted() {
        engine.requireOwner();
        if (state != COMPLETED) {
            requireUsable();
            throw new IllegalStateException(this + " has not completed: progress its engine first");
        }
    }

    /**
     * Returns the object of the library.
     *
     * @return a pointer, valid while this task is open
     */
    protected final MemorySegment object() {
        return task.object();
    }

    /** Checks that the buffers of this task are ready; throws an exception if not. */
    void beforeSubmit() {}

    /** Called when this task was submitted. */
    protected void begun() {}

    /**
     * Called when this task is no longer in flight, abandoned or not, before {@link #completed()}.
     *
     * @param code the status that the library reports
     * @return the status of this task
     */
    int ended(int code) {
        return code;
    }

    final void begin() {
        state = IN_FLIGHT;
        begun();
    }

    /** Checks the conditions of a submit that Java can check. */
    final void requireReady() {
        requireIdle();
        beforeSubmit();
    }

    /** Completes this task after a graph has run it, or has completed before running it. */
    final void endWithoutListener() {
        if (end(DirectCalls.taskStatus(address))) {
            answered(0, 0);
        }
    }

    final void complete(CompletionArray record) {
        var address = record.response();
        var length = record.responseLength();
        if (end(record.status())) {
            answered(address, length);
            completed();
        }
    }

    /** Ends the flight, and releases an abandoned task; returns whether this task is open. */
    private boolean end(int code) {
        var ending = ended(code);
        if (isOpen()) {
            state = COMPLETED;
            status = ending;
            return true;
        }
        if (state == ABANDONED) {
            release();
            context.tasks().endAbandoned();
        }
        return false;
    }

    /** Returns the engine of the context. */
    final ProgressEngine engine() {
        return engine;
    }

    /** Returns the address of the native task. */
    final long address() {
        return address;
    }

    /** Returns the native task. */
    final MemorySegment handle() {
        return task.task();
    }
}
