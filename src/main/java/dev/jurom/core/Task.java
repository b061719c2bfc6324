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
 * A piece of work for a context. Stands for {@code struct doca_task}.
 *
 * <p>It is made once and may be submitted many times, also from inside its own completion callback.
 * From a successful submit until that callback it is <em>in flight</em>, and what it works on
 * belongs to the library. Its life ends with {@link #close()}, also in flight: it is then
 * <em>given up</em>, and what it works on stays the library's until it completes unheard.
 *
 * <p>Submitting, completing and reading a result allocate nothing.
 */
public abstract class Task implements AutoCloseable {

    // States, in this order. Numbers, because storing a reference costs a barrier of the collector.
    private static final int READY = 0;
    private static final int COMPLETED = 1;
    private static final int IN_FLIGHT = 2;
    private static final int GIVEN_UP = 3;
    private static final int RELEASED = 4;

    private final Context context;
    private final ProgressEngine engine;
    private final NativeTask task;
    private final long address;
    private final long ticket;
    private final long source; // the native task's user data

    private int state = READY;
    private int status; // a DocaError's code

    /**
     * A task in C: an object of its library, seen as a {@code struct doca_task} too.
     *
     * @param object the library's object
     * @param task the same as {@code struct doca_task}
     * @param response the {@code struct doca_buf} of a command's answer; null pointer for other
     *        tasks
     * @param releaseFunction the name of the function that releases it
     * @param release that function, which is given {@code object}
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
         * Creates a description of a task that has no answer.
         *
         * @param object the library's object
         * @param task the same as {@code struct doca_task}
         * @param releaseFunction the name of the function that releases it
         * @param release that function, which is given {@code object}
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
     * Registers a new native task with its context.
     *
     * @param context what runs it
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
        } catch (RuntimeException e) {
            task.release().applyAsInt(task.object());
            context.tasks().remove(ticket);
            throw e;
        }
    }

    /**
     * The callback that every task must be given when it is made: it leads to {@link #completed()}.
     *
     * @return a function pointer
     */
    protected static MemorySegment completionCallback() {
        return CompletionArray.TASK_CALLBACK;
    }

    /**
     * The context that runs this task. In place of {@code doca_task_get_ctx}.
     *
     * @return the same for life
     */
    public Context context() {
        return context;
    }

    /**
     * Submits this task. What it works on belongs to the library until it completes: do not touch
     * it meanwhile. Stands for {@code doca_task_submit}.
     *
     * @throws IllegalStateException if it is in flight or closed
     * @throws DocaException if the library refuses it, with {@code BAD_STATE} if the context is not
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
     * Submits this task, unless that takes resources that are not there now. Stands for
     * {@code doca_task_try_submit}.
     *
     * @return whether it was submitted; if not, progress the engine and try again
     * @throws IllegalStateException if it is in flight or closed
     * @throws DocaException if the library refuses it
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
     * Submits this task in a special way. Stands for {@code doca_task_submit_ex}.
     *
     * @param flags how
     * @throws IllegalStateException if it is in flight or closed
     * @throws DocaException if the library refuses it
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
     * Whether this task is in flight.
     *
     * @return true from a successful submit until its completion callback starts, or it is closed
     */
    public final boolean isInFlight() {
        return state == IN_FLIGHT;
    }

    /**
     * Whether this task has completed since it was last submitted.
     *
     * @return true from its completion callback until it is submitted again or closed
     */
    public final boolean isCompleted() {
        return state == COMPLETED;
    }

    /**
     * Whether this task is open.
     *
     * @return false once it is closed
     */
    public final boolean isOpen() {
        return state <= IN_FLIGHT;
    }

    /**
     * How this task completed. Stands for {@code doca_task_get_status}.
     *
     * @return {@link DocaError#SUCCESS}, or what went wrong
     * @throws IllegalStateException if it has not completed since it was last submitted
     */
    public final DocaError status() {
        requireCompleted();
        return DocaError.of(status);
    }

    /**
     * Requires that this task completed successfully.
     *
     * @throws IllegalStateException if it has not completed since it was last submitted
     * @throws DocaException if it failed
     */
    public final void requireSuccess() {
        requireCompleted();
        if (status != 0) {
            throw new DocaException(status(), "doca_task_submit", toString(), advice());
        }
    }

    /**
     * What the caller can do about how this task completed.
     *
     * @return one or two sentences: the status's own advice, and what else is known
     * @throws IllegalStateException if it has not completed since it was last submitted
     */
    public String advice() {
        return status().advice();
    }

    /**
     * Releases this task. No effect if that was done. It may be called from inside the completion
     * callback. Stands for {@code doca_task_free}.
     *
     * <p>A task in flight is given up: its listener is not called any more and its views end, but
     * what it works on stays the library's until it completes, and it counts until then towards the
     * number of tasks that its context can have. Its completion frees it, at the latest when its
     * context is stopped. This does not wait.
     *
     * @throws IllegalStateException if it belongs to a pool, which closes it
     * @throws WrongThreadException if it belongs to another thread
     */
    @Override
    public final void close() {
        if (!isOpen()) {
            return;
        }
        engine.requireOwner();
        requireClosable();
        if (state == IN_FLIGHT) {
            state = GIVEN_UP;
            context.tasks().giveUp();
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
     * Whether the library needs a few microseconds at most to submit this task.
     *
     * @return false, unless overridden
     */
    protected boolean isQuickToSubmit() {
        return false;
    }

    /**
     * Runs when this task has completed, before {@link #completed()}.
     *
     * @param address where the answer to a command is, or 0: ask the library
     * @param length its length in bytes
     */
    protected void answered(long address, long length) {}

    /** Runs when this task has completed; the status is set. */
    protected abstract void completed();

    /** Requires what else must hold for this task to be closed; throws if it does not. */
    protected void requireClosable() {}

    /** Runs when this task is closed; when that gave it up, the native task is still in flight. */
    protected void closed() {}

    /**
     * Requires that this task is open, not in flight, and used by its thread.
     *
     * @throws IllegalStateException if it is in flight or closed
     * @throws WrongThreadException if it belongs to another thread
     */
    protected final void requireIdle() {
        engine.requireOwner();
        if (state >= IN_FLIGHT) {
            requireUsable();
            throw new IllegalStateException(this + " is in flight: wait until it completes");
        }
    }

    /**
     * Requires that this task is open and used by its thread.
     *
     * @throws IllegalStateException if it is closed
     * @throws WrongThreadException if it belongs to another thread
     */
    protected final void requireUsable() {
        engine.requireOwner();
        if (!isOpen()) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /**
     * Requires that this task has completed and has not been submitted again.
     *
     * @throws IllegalStateException if it has not
     * @throws WrongThreadException if it belongs to another thread
     */
    protected final void requireCompleted() {
        engine.requireOwner();
        if (state != COMPLETED) {
            requireUsable();
            throw new IllegalStateException(this + " has not completed: progress its engine first");
        }
    }

    /**
     * The library's own object.
     *
     * @return a pointer; only to be used while this is open
     */
    protected final MemorySegment object() {
        return task.object();
    }

    /** Checks that what this task works on is ready; throws if not. */
    void beforeSubmit() {}

    /** Runs when this task begins to be in flight. */
    protected void begun() {}

    /**
     * Runs when this task is in flight no more, given up or not, before {@link #completed()}.
     *
     * @param code the status that the library gave it
     * @return its status
     */
    int ended(int code) {
        return code;
    }

    final void begin() {
        state = IN_FLIGHT;
        begun();
    }

    /** Requires that this task could be submitted now, as far as this side knows. */
    final void requireReady() {
        requireIdle();
        beforeSubmit();
    }

    /** A graph has run this task, or has completed before it came to it. */
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

    /** Ends the flight, and the life of a task that was given up; whether it still has one. */
    private boolean end(int code) {
        var ending = ended(code);
        if (isOpen()) {
            state = COMPLETED;
            status = ending;
            return true;
        }
        if (state == GIVEN_UP) {
            release();
            context.tasks().endGivenUp();
        }
        return false;
    }

    /** The engine of its context. */
    final ProgressEngine engine() {
        return engine;
    }

    /** The native task's address. */
    final long address() {
        return address;
    }

    /** The native task. */
    final MemorySegment handle() {
        return task.task();
    }
}
