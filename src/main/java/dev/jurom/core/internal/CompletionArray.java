// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.abi.doca.jurom_completion;
import dev.jurom.abi.doca.jurom_completion_array;
import dev.jurom.abi.doca.jurom_completion_functions;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What the callbacks of an engine's tasks and contexts have kept, in the order in which they ran:
 * C functions append it, this reads it, one record after the other, on the engine's thread. So a
 * command costs no upcall. Stands for {@code struct jurom_completion_array}.
 */
public final class CompletionArray {

    /** For {@code doca_ctx_set_state_changed_cb}. */
    public static final MemorySegment STATE_CALLBACK = doca_h.jurom_completion_of_state$address();

    /** For every {@code *_completion_cb_t} of a task: all have the same shape. */
    public static final MemorySegment TASK_CALLBACK = doca_h.jurom_completion_of_task$address();

    /** Absolute addresses: the records move when the array grows. */
    private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    // Without a check of the alignment, which C guarantees.
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private static final long RECORDS = jurom_completion_array.records$offset();
    private static final long APPENDED = jurom_completion_array.appended$offset();
    private static final long DELIVERED = jurom_completion_array.delivered$offset();
    private static final long LOST = jurom_completion_array.lost$offset();

    private static final long SIZE = jurom_completion.sizeof();
    private static final long CONTEXT = jurom_completion.context$offset();
    private static final long TASK = jurom_completion.task$offset();
    private static final long RESPONSE = jurom_completion.response$offset();
    private static final long RESPONSE_LENGTH = jurom_completion.response_length$offset();
    private static final long STATUS = jurom_completion.status$offset();
    private static final long PREVIOUS = jurom_completion.previous$offset();
    private static final long NEXT = jurom_completion.next$offset();

    private final long array; // native; its numbers are not kept here, for upcalls read in a drain
    private long record; // the address of the one that was taken last

    /**
     * Makes an empty array.
     *
     * @throws DocaException with {@code NO_MEMORY} if there is none
     */
    public CompletionArray() {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ADDRESS);
            Status.check(
                    doca_h.jurom_completion_array_create(functions(arena), result),
                    "jurom_completion_array_create",
                    "progress engine");
            array = result.get(JAVA_LONG, 0);
        }
    }

    /** The functions of the DOCA in use, which the array calls. */
    private static MemorySegment functions(Arena arena) {
        var functions = jurom_completion_functions.allocate(arena);
        jurom_completion_functions.progress(functions, doca_h.doca_pe_progress$address());
        jurom_completion_functions.submit_ex(functions, doca_h.doca_task_submit_ex$address());
        jurom_completion_functions.task_context(functions, doca_h.doca_task_get_ctx$address());
        jurom_completion_functions.task_status(functions, doca_h.doca_task_get_status$address());
        jurom_completion_functions.buf_data(functions, doca_h.doca_buf_get_data$address());
        jurom_completion_functions.buf_data_len(functions, doca_h.doca_buf_get_data_len$address());
        return functions;
    }

    /**
     * Makes the user data of a context whose callback is {@link #STATE_CALLBACK}.
     *
     * @param context its ticket, not 0
     * @return for {@code doca_ctx_set_user_data}, and {@link #free} once the context is destroyed
     */
    public long contextSource(long context) {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ADDRESS);
            Status.check(
                    doca_h.jurom_completion_context_source(pointer(), context, result),
                    "jurom_completion_context_source",
                    "context");
            return result.get(JAVA_LONG, 0);
        }
    }

    /**
     * Makes the user data of a task whose callback is {@link #TASK_CALLBACK}.
     *
     * @param context the ticket of its context
     * @param ticket its own, not 0
     * @param task the {@code struct doca_task}
     * @param response the {@code struct doca_buf} of its answer; null pointer for none
     * @return for {@code doca_task_set_user_data}, and {@link #free} once the task is released
     */
    public long taskSource(long context, long ticket, MemorySegment task, MemorySegment response) {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ADDRESS);
            Status.check(
                    doca_h.jurom_completion_task_source(pointer(), context, ticket, task, response, result),
                    "jurom_completion_task_source",
                    "task");
            return result.get(JAVA_LONG, 0);
        }
    }

    /**
     * Frees the user data of a context that was destroyed, or a task that was released.
     *
     * @param source as it was made here
     */
    public static void free(long source) {
        doca_h.jurom_completion_source_destroy(MemorySegment.ofAddress(source));
    }

    /** Frees this, with what was not read. */
    public void destroy() {
        doca_h.jurom_completion_array_destroy(pointer());
    }

    /** The native array. */
    MemorySegment pointer() {
        return MemorySegment.ofAddress(array);
    }

    /**
     * Progresses an engine until it has run some callbacks, or found nothing.
     *
     * @param engine a {@code struct doca_pe *}
     * @param limit how many callbacks at most
     * @return how many callbacks ran; those that kept something here are there to be read
     */
    public int drain(long engine, int limit) {
        return DirectCalls.drain(array, engine, limit);
    }

    /**
     * Puts a task's address among those to be submitted together.
     *
     * @param tasks where the addresses are
     * @param index its place among them
     * @param task its address
     */
    public static void setTask(long tasks, int index, long task) {
        MEMORY.set(LONG, tasks + index * (long) Long.BYTES, task);
    }

    /**
     * Submits tasks in their order, those in a row of one context in one batch, until one is
     * refused.
     *
     * @param tasks their addresses
     * @param count how many
     * @param status where the status goes that the last one got: 4 bytes
     * @param quick whether that takes the library a few microseconds at most
     * @return how many were submitted
     */
    public int submit(long tasks, int count, long status, boolean quick) {
        return quick
                ? DirectCalls.submitAllQuickly(array, tasks, count, status)
                : DirectCalls.submitAll(array, tasks, count, status);
    }

    /**
     * Whether there is something to be read.
     *
     * @return true until {@link #next()} has taken all
     */
    public boolean isPending() {
        return MEMORY.get(INT, array + DELIVERED) != MEMORY.get(INT, array + APPENDED);
    }

    /**
     * Takes the next record, which the methods below are about until another is taken.
     *
     * @return whether there was one
     * @throws DocaException with {@code NO_MEMORY} if some were lost for want of memory
     */
    public boolean next() {
        var delivered = MEMORY.get(INT, array + DELIVERED);
        if (delivered == MEMORY.get(INT, array + APPENDED)) {
            requireNoneLost();
            return false;
        }
        MEMORY.set(INT, array + DELIVERED, delivered + 1);
        record = MEMORY.get(LONG, array + RECORDS) + delivered * SIZE;
        return true;
    }

    private void requireNoneLost() {
        var lost = MEMORY.get(INT, array + LOST);
        if (lost != 0) {
            MEMORY.set(INT, array + LOST, 0);
            throw new DocaException(
                    DocaError.NO_MEMORY,
                    "jurom_completion_of_state",
                    "progress engine",
                    lost + " changes of state were not heard of: free memory, "
                            + "and look at the state of the contexts.");
        }
    }

    /**
     * The ticket of the record's context.
     *
     * @return not 0
     */
    public long context() {
        return MEMORY.get(LONG, record + CONTEXT);
    }

    /**
     * The ticket of the task that has completed.
     *
     * @return 0 if it was the context that has changed
     */
    public long task() {
        return MEMORY.get(LONG, record + TASK);
    }

    /**
     * How the task completed.
     *
     * @return a {@code doca_error_t}
     */
    public int status() {
        return MEMORY.get(INT, record + STATUS);
    }

    /**
     * Where the answer to a command is.
     *
     * @return its address
     */
    public long response() {
        return MEMORY.get(LONG, record + RESPONSE);
    }

    /**
     * How long the answer to a command is.
     *
     * @return bytes
     */
    public long responseLength() {
        return MEMORY.get(LONG, record + RESPONSE_LENGTH);
    }

    /**
     * The state that the context has left.
     *
     * @return an {@code enum doca_ctx_states}
     */
    public int previous() {
        return MEMORY.get(INT, record + PREVIOUS);
    }

    /**
     * The state that the context has entered.
     *
     * @return an {@code enum doca_ctx_states}
     */
    public int entered() {
        return MEMORY.get(INT, record + NEXT);
    }
}
