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
 * Records of the completions and changes of state of an engine's tasks and contexts, in the order
 * of their callbacks. C functions append the records, and the thread of the engine reads them one
 * by one, so that a command costs no upcall. Stands for {@code struct jurom_completion_array}.
 */
public final class CompletionArray {

    /** For {@code doca_ctx_set_state_changed_cb}. */
    public static final MemorySegment STATE_CALLBACK = doca_h.jurom_completion_of_state$address();

    /** For every {@code *_completion_cb_t} of a task: all have the same signature. */
    public static final MemorySegment TASK_CALLBACK = doca_h.jurom_completion_of_task$address();

    /** All of memory, for absolute addresses: the records move when the array grows. */
    private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    // Unaligned layouts save a check of the alignment, which C guarantees.
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

    private final long array; // native; its counts are not cached, since upcalls read records during a drain
    private long record; // the address of the current record

    /**
     * Creates an empty array.
     *
     * @throws DocaException with {@code NO_MEMORY} if there is not enough memory
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

    /** Returns the functions of the DOCA in use that the array calls. */
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
     * Creates the user data of a context whose callback is {@link #STATE_CALLBACK}.
     *
     * @param context the ticket of the context, not 0
     * @return the user data for {@code doca_ctx_set_user_data}, to be {@linkplain #free freed}
     *         after the context is destroyed
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
     * Creates the user data of a task whose callback is {@link #TASK_CALLBACK}.
     *
     * @param context the ticket of the context
     * @param ticket the ticket of the task, not 0
     * @param task the {@code struct doca_task}
     * @param response the {@code struct doca_buf} of the response; the null pointer if the task has
     *         none
     * @return the user data for {@code doca_task_set_user_data}, to be {@linkplain #free freed}
     *         after the task is released
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
     * Frees the user data of a destroyed context or a released task.
     *
     * @param source the user data
     */
    public static void free(long source) {
        doca_h.jurom_completion_source_destroy(MemorySegment.ofAddress(source));
    }

    /** Frees this array, with the records that were not read. */
    public void destroy() {
        doca_h.jurom_completion_array_destroy(pointer());
    }

    /** Returns the native array. */
    MemorySegment pointer() {
        return MemorySegment.ofAddress(array);
    }

    /**
     * Progresses an engine until a number of callbacks have run, or there are no more events.
     *
     * @param engine a {@code struct doca_pe *}
     * @param limit the maximum number of callbacks
     * @return the number of callbacks that ran; their records can then be read
     */
    public int drain(long engine, int limit) {
        return DirectCalls.drain(array, engine, limit);
    }

    /**
     * Stores the address of a task in a list of tasks to be submitted together.
     *
     * @param tasks the address of the list
     * @param index the index in the list
     * @param task the address of the task
     */
    public static void setTask(long tasks, int index, long task) {
        MEMORY.set(LONG, tasks + index * (long) Long.BYTES, task);
    }

    /**
     * Submits tasks in order, until one is rejected. Consecutive tasks of one context form a batch.
     *
     * @param tasks the addresses of the tasks
     * @param count the number of tasks
     * @param status the address of 4 bytes for the status of the last submission
     * @param quick whether the library needs only a few microseconds for all tasks
     * @return the number of submitted tasks
     */
    public int submit(long tasks, int count, long status, boolean quick) {
        return quick
                ? DirectCalls.submitAllQuickly(array, tasks, count, status)
                : DirectCalls.submitAll(array, tasks, count, status);
    }

    /**
     * Returns whether there are records to read.
     *
     * @return true until {@link #next()} has read all records
     */
    public boolean isPending() {
        return MEMORY.get(INT, array + DELIVERED) != MEMORY.get(INT, array + APPENDED);
    }

    /**
     * Moves to the next record, which the methods below then describe.
     *
     * @return whether there is one
     * @throws DocaException with {@code NO_MEMORY} if records were lost for lack of memory
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
                    lost + " changes of state were lost for lack of memory: free memory, "
                            + "and query the states of the contexts.");
        }
    }

    /**
     * Returns the ticket of the context.
     *
     * @return the ticket, not 0
     */
    public long context() {
        return MEMORY.get(LONG, record + CONTEXT);
    }

    /**
     * Returns the ticket of the task that has completed.
     *
     * @return the ticket; 0 if the record is about a change of the context's state
     */
    public long task() {
        return MEMORY.get(LONG, record + TASK);
    }

    /**
     * Returns the status of the task.
     *
     * @return a {@code doca_error_t}
     */
    public int status() {
        return MEMORY.get(INT, record + STATUS);
    }

    /**
     * Returns the address of the response to a command.
     *
     * @return the address
     */
    public long response() {
        return MEMORY.get(LONG, record + RESPONSE);
    }

    /**
     * Returns the length of the response to a command.
     *
     * @return the length in bytes
     */
    public long responseLength() {
        return MEMORY.get(LONG, record + RESPONSE_LENGTH);
    }

    /**
     * Returns the state of the context before the change.
     *
     * @return an {@code enum doca_ctx_states}
     */
    public int previous() {
        return MEMORY.get(INT, record + PREVIOUS);
    }

    /**
     * Returns the state of the context after the change.
     *
     * @return an {@code enum doca_ctx_states}
     */
    public int entered() {
        return MEMORY.get(INT, record + NEXT);
    }
}
