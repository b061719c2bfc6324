// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_data;
import dev.jurom.abi.doca.doca_h;
import dev.jurom.core.internal.CompletionArray;
import dev.jurom.core.internal.Count;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A task that reads, sets, adds to or waits for the counter of a sync event. Stands for
 * {@code struct doca_sync_event_task_get} and four further types.
 */
public final class SyncEventTask extends Task {

    /** The kind of a task. */
    public enum Kind {

        /** Reads the counter: {@code doca_sync_event_task_get}. */
        GET(
                doca_h::doca_sync_event_task_get_set_conf,
                "doca_sync_event_task_get",
                doca_h::doca_sync_event_task_get_as_doca_task,
                (event, value, mask, result, data, task) ->
                        doca_h.doca_sync_event_task_get_alloc_init(event, result, data, task)),

        /** Sets the counter: {@code doca_sync_event_task_notify_set}. */
        SET(
                doca_h::doca_sync_event_task_notify_set_set_conf,
                "doca_sync_event_task_notify_set",
                doca_h::doca_sync_event_task_notify_set_as_doca_task,
                (event, value, mask, result, data, task) ->
                        doca_h.doca_sync_event_task_notify_set_alloc_init(event, value, data, task)),

        /** Adds to the counter: {@code doca_sync_event_task_notify_add}. */
        ADD(
                doca_h::doca_sync_event_task_notify_add_set_conf,
                "doca_sync_event_task_notify_add",
                doca_h::doca_sync_event_task_notify_add_as_doca_task,
                (event, value, mask, result, data, task) ->
                        doca_h.doca_sync_event_task_notify_add_alloc_init(event, value, result, data, task)),

        /** Waits until the counter equals a value: {@code doca_sync_event_task_wait_eq}. */
        WAIT_EQUAL(
                doca_h::doca_sync_event_task_wait_eq_set_conf,
                "doca_sync_event_task_wait_eq",
                doca_h::doca_sync_event_task_wait_eq_as_doca_task,
                (event, value, mask, result, data, task) ->
                        doca_h.doca_sync_event_task_wait_eq_alloc_init(event, value, mask, data, task)),

        /**
         * Waits until the counter does not equal a value: {@code doca_sync_event_task_wait_neq}.
         */
        WAIT_NOT_EQUAL(
                doca_h::doca_sync_event_task_wait_neq_set_conf,
                "doca_sync_event_task_wait_neq",
                doca_h::doca_sync_event_task_wait_neq_as_doca_task,
                (event, value, mask, result, data, task) ->
                        doca_h.doca_sync_event_task_wait_neq_alloc_init(event, value, mask, data, task));

        @FunctionalInterface
        private interface Configure {
            int apply(MemorySegment event, MemorySegment completed, MemorySegment failed, int tasks);
        }

        @FunctionalInterface
        private interface Allocate {
            int apply(
                    MemorySegment event,
                    long value,
                    long mask,
                    MemorySegment result,
                    MemorySegment userData,
                    MemorySegment task);
        }

        private final Configure configure;
        private final String name;
        private final UnaryOperator<MemorySegment> asTask;
        private final Allocate allocate;

        Kind(Configure configure, String name, UnaryOperator<MemorySegment> asTask, Allocate allocate) {
            this.configure = configure;
            this.name = name;
            this.asTask = asTask;
            this.allocate = allocate;
        }

        void configure(SyncEvent event, MemorySegment nativeEvent, int tasks) {
            Count.requireWithin("The number of " + name + " objects", tasks, 1, MAX_TASKS);
            check(
                    configure.apply(nativeEvent, CompletionArray.TASK_CALLBACK, CompletionArray.TASK_CALLBACK, tasks),
                    name + "_set_conf",
                    event);
        }
    }

    private static final int MAX_TASKS = 1 << 16; // for each kind

    private final Kind kind;
    private final SyncEvent event;
    private final MemorySegment result; // must outlive the native task, which writes it
    private @Nullable Consumer<? super SyncEventTask> listener;

    private SyncEventTask(SyncEvent event, NativeTask task, Kind kind, MemorySegment result) {
        super(event, task);
        this.event = event;
        this.kind = kind;
        this.result = result;
    }

    static SyncEventTask create(SyncEvent event, MemorySegment nativeEvent, Kind kind, long value, long mask) {
        var result = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
        try (var arena = Arena.ofConfined()) {
            var made = arena.allocate(ValueLayout.ADDRESS);
            check(
                    kind.allocate.apply(nativeEvent, value, mask, result, doca_data.allocate(arena), made),
                    kind.name + "_alloc_init",
                    event);
            var task = made.get(ValueLayout.ADDRESS, 0);
            return new SyncEventTask(
                    event,
                    new NativeTask(task, kind.asTask.apply(task), "doca_task_free", object -> {
                        doca_h.doca_task_free(kind.asTask.apply(object));
                        return 0;
                    }),
                    kind,
                    result);
        }
    }

    /**
     * Returns the kind of this task.
     *
     * @return the kind, always the same
     */
    public Kind kind() {
        return kind;
    }

    /**
     * Returns the value of the counter that was read, or its value before an addition. In place of
     * {@code doca_sync_event_task_get_get_ret_val_ptr},
     * {@code doca_sync_event_task_get_set_ret_val_ptr},
     * {@code doca_sync_event_task_notify_add_get_fetched_val_ptr} and
     * {@code doca_sync_event_task_notify_add_set_fetched_val_ptr}.
     *
     * @return the value; 0 for tasks of other kinds
     * @throws IllegalStateException if this task has not completed
     */
    public long result() {
        requireCompleted();
        return result.get(ValueLayout.JAVA_LONG, 0);
    }

    /**
     * Sets the listener that is called when this task completes, inside {@code progress()}.
     *
     * @param newListener replaces the previous one; it may submit or close this task
     * @return this
     * @throws IllegalStateException if this task is closed
     */
    public SyncEventTask onCompletion(Consumer<? super SyncEventTask> newListener) {
        requireUsable();
        listener = newListener;
        return this;
    }

    @Override
    void beforeSubmit() {
        event.requireMemory();
    }

    @Override
    protected void begun() {
        event.engine().began(this, new ProgressEngine.MemoryUse(event::requireMemory, event::detachMemory));
    }

    @Override
    int ended(int code) {
        return event.engine().ended(this, code);
    }

    @Override
    protected void completed() {
        if (listener != null) {
            listener.accept(this);
        }
    }

    /**
     * Returns the value that this task sets, adds or waits for. Stands for
     * {@code doca_sync_event_task_notify_set_get_set_val},
     * {@code doca_sync_event_task_notify_add_get_inc_val},
     * {@code doca_sync_event_task_wait_eq_get_wait_val} and
     * {@code doca_sync_event_task_wait_neq_get_wait_val}.
     *
     * @return the value; 0 for a task that reads
     */
    public long value() {
        requireUsable();
        return SyncEventOperand.value(kind, object());
    }

    /**
     * Sets the value that this task sets, adds or waits for at the next submit. Stands for
     * {@code doca_sync_event_task_notify_set_set_set_val},
     * {@code doca_sync_event_task_notify_add_set_inc_val},
     * {@code doca_sync_event_task_wait_eq_set_wait_val} and
     * {@code doca_sync_event_task_wait_neq_set_wait_val}.
     *
     * @param value any number
     * @return this
     * @throws IllegalStateException if this task is in flight or closed
     * @throws UnsupportedOperationException if this task reads
     */
    public SyncEventTask setValue(long value) {
        requireIdle();
        SyncEventOperand.setValue(kind, object(), value);
        return this;
    }

    /**
     * Returns the bits of the counter that this task compares. Stands for
     * {@code doca_sync_event_task_wait_eq_get_mask} and
     * {@code doca_sync_event_task_wait_neq_get_mask}.
     *
     * @return the mask; all bits for a task that does not wait
     */
    public long mask() {
        requireUsable();
        return SyncEventOperand.mask(kind, object());
    }

    /**
     * Sets the bits of the counter that this task compares at the next submit. Stands for
     * {@code doca_sync_event_task_wait_eq_set_mask} and
     * {@code doca_sync_event_task_wait_neq_set_mask}.
     *
     * @param mask the mask
     * @return this
     * @throws IllegalStateException if this task is in flight or closed
     * @throws UnsupportedOperationException if this task does not wait
     */
    public SyncEventTask setMask(long mask) {
        requireIdle();
        SyncEventOperand.setMask(kind, object(), mask);
        return this;
    }

    @Override
    public String toString() {
        return kind.name + " of " + event;
    }
}
