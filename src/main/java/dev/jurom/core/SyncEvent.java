// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.RuntimeKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A 64-bit counter that the two sides of PCI, and the threads of a process, set, add to, read and
 * wait for. Stands for {@code struct doca_sync_event}.
 *
 * <p>While it runs, any thread may use {@link #value()}, {@link #set}, {@link #add} and the methods
 * that wait; the rest is for its engine's thread. Tasks do the same asynchronously.
 *
 * <p>It runs as any context does: {@link #start()} is in place of {@code doca_sync_event_start},
 * {@link #stop()} is in place of {@code doca_sync_event_stop}; {@link #close()} stands for
 * {@code doca_sync_event_destroy}.
 */
public final class SyncEvent extends Context {

    private final CounterMemory memory = new CounterMemory(this);
    private int users; // threads inside a call; guarded by this

    private SyncEvent(Supplier<NativeContext> maker, ProgressEngine engine, Device device) {
        super(maker, engine, device);
        try {
            setTasks(SyncEventTask.Kind.GET, 1); // a context without any task does not start
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Makes an event for this side's processor, not started yet. Stands for
     * {@code doca_sync_event_create}, {@code doca_sync_event_as_ctx}, {@code doca_pe_connect_ctx},
     * {@code doca_sync_event_add_publisher_location_cpu} and
     * {@code doca_sync_event_add_subscriber_location_cpu}.
     *
     * @param engine what progresses its tasks
     * @param device the device
     * @return an idle context; the counter begins at 0
     */
    public static SyncEvent create(ProgressEngine engine, Device device) {
        var event = new SyncEvent(() -> SyncEventOrigin.create(device), engine, device);
        try {
            check(
                    doca_h.doca_sync_event_add_publisher_location_cpu(event.object(), device.handle()),
                    "doca_sync_event_add_publisher_location_cpu",
                    event);
            check(
                    doca_h.doca_sync_event_add_subscriber_location_cpu(event.object(), device.handle()),
                    "doca_sync_event_add_subscriber_location_cpu",
                    event);
        } catch (RuntimeException e) {
            event.close();
            throw e;
        }
        return event;
    }

    /**
     * Makes an event of a counter that somebody else exported, not started yet. Stands for
     * {@code doca_sync_event_create_from_export}.
     *
     * @param engine what progresses its tasks
     * @param device the device that reaches the counter
     * @param export what {@link #exportToRemotePci} gave there
     * @return an idle context
     * @throws DocaException with {@code INVALID_VALUE} if the bytes are no export, {@code
     *         NOT_FOUND} if the exporter is gone
     */
    public static SyncEvent fromExport(ProgressEngine engine, Device device, byte[] export) {
        return new SyncEvent(() -> SyncEventOrigin.fromExport(device, export), engine, device);
    }

    /**
     * Lets the other side of PCI set and add. Stands for
     * {@code doca_sync_event_add_publisher_location_remote_pci}.
     *
     * @return this
     * @throws DocaException with {@code BAD_STATE} if it is not idle
     */
    public SyncEvent addRemotePublisher() {
        requireUsable();
        check(
                doca_h.doca_sync_event_add_publisher_location_remote_pci(object()),
                "doca_sync_event_add_publisher_location_remote_pci",
                this);
        return this;
    }

    /**
     * Lets the other side of PCI read and wait. Stands for
     * {@code doca_sync_event_add_subscriber_location_remote_pci}.
     *
     * @return this
     * @throws DocaException with {@code BAD_STATE} if it is not idle
     */
    public SyncEvent addRemoteSubscriber() {
        requireUsable();
        check(
                doca_h.doca_sync_event_add_subscriber_location_remote_pci(object()),
                "doca_sync_event_add_subscriber_location_remote_pci",
                this);
        return this;
    }

    /**
     * Puts the counter into the caller's memory, until that is freed. Stands for
     * {@code doca_sync_event_set_addr} and {@code jurom_sync_event_leave_memory}.
     *
     * @param counter 8 bytes of native memory, aligned to 8; they must live as long as this runs:
     *        when their arena is closed before, using this throws {@link IllegalStateException}, and
     *        tasks in flight end with {@code IO_FAILED}
     * @return this
     * @throws IllegalArgumentException if the segment is on the heap, too short or not aligned
     * @throws DocaException with {@code BAD_STATE} if it is not idle
     */
    public SyncEvent setMemory(MemorySegment counter) {
        requireUsable();
        CounterMemory.requireSuitable(counter);
        check(doca_h.doca_sync_event_set_addr(object(), counter), "doca_sync_event_set_addr", this);
        memory.use(counter);
        return this;
    }

    /**
     * Puts the counter where a buffer's data begins. Stands for
     * {@code doca_sync_event_set_doca_buf}.
     *
     * @param counter a buffer of this process's memory with 8 bytes from there on, at a multiple of
     *        8; it is in use, and cannot be closed, until this is closed
     * @return this
     * @throws DocaException with {@code INVALID_VALUE} if there are fewer bytes or they are not
     *         aligned, {@code NOT_PERMITTED} if the map's memory may only be read,
     *         {@code BAD_STATE} if this is not idle
     */
    public SyncEvent setBuffer(Buffer counter) {
        requireUsable();
        check(doca_h.doca_sync_event_set_doca_buf(object(), counter.handle()), "doca_sync_event_set_doca_buf", this);
        memory.use(counter);
        return this;
    }

    /**
     * Sets how many tasks of a kind can be open; at first, one that reads. Stands for
     * {@code doca_sync_event_task_get_set_conf},
     * {@code doca_sync_event_task_notify_set_set_conf},
     * {@code doca_sync_event_task_notify_add_set_conf},
     * {@code doca_sync_event_task_wait_eq_set_conf} and
     * {@code doca_sync_event_task_wait_neq_set_conf}.
     *
     * @param kind the kind of task
     * @param tasks how many: 1 to 65536
     * @return this
     * @throws IllegalArgumentException if the number is out of range
     * @throws DocaException with {@code BAD_STATE} if it is not idle
     */
    public SyncEvent setTasks(SyncEventTask.Kind kind, int tasks) {
        requireUsable();
        kind.configure(this, object(), tasks);
        return this;
    }

    /**
     * Makes a task that reads the counter. Stands for
     * {@code doca_sync_event_task_get_alloc_init} and
     * {@code doca_sync_event_task_get_as_doca_task}.
     *
     * @return the task, to be submitted and closed
     * @throws DocaException with {@code BAD_STATE} if this is not running, {@code NO_MEMORY} if as
     *         many tasks are open as was set
     */
    public SyncEventTask getTask() {
        return task(SyncEventTask.Kind.GET, 0, 0);
    }

    /**
     * Makes a task that sets the counter. Stands for
     * {@code doca_sync_event_task_notify_set_alloc_init} and
     * {@code doca_sync_event_task_notify_set_as_doca_task}.
     *
     * @param value to what
     * @return the task, to be submitted and closed
     * @throws DocaException with {@code BAD_STATE} if this is not running, {@code NO_MEMORY} if as
     *         many tasks are open as was set
     */
    public SyncEventTask setTask(long value) {
        return task(SyncEventTask.Kind.SET, value, 0);
    }

    /**
     * Makes a task that adds to the counter. Stands for
     * {@code doca_sync_event_task_notify_add_alloc_init} and
     * {@code doca_sync_event_task_notify_add_as_doca_task}.
     *
     * @param amount how much
     * @return the task, to be submitted and closed
     * @throws DocaException with {@code BAD_STATE} if this is not running, {@code NO_MEMORY} if as
     *         many tasks are open as was set
     */
    public SyncEventTask addTask(long amount) {
        return task(SyncEventTask.Kind.ADD, amount, 0);
    }

    /**
     * Makes a task that completes when the masked counter has a value. Stands for
     * {@code doca_sync_event_task_wait_eq_alloc_init} and
     * {@code doca_sync_event_task_wait_eq_as_doca_task}.
     *
     * @param value which
     * @param mask the bits that count
     * @return the task, to be submitted and closed
     * @throws DocaException with {@code BAD_STATE} if this is not running, {@code NO_MEMORY} if as
     *         many tasks are open as was set
     */
    public SyncEventTask waitEqualTask(long value, long mask) {
        return task(SyncEventTask.Kind.WAIT_EQUAL, value, mask);
    }

    /**
     * Makes a task that completes when the masked counter has another value. Stands for
     * {@code doca_sync_event_task_wait_neq_alloc_init} and
     * {@code doca_sync_event_task_wait_neq_as_doca_task}.
     *
     * @param value than which
     * @param mask the bits that count
     * @return the task, to be submitted and closed
     * @throws DocaException with {@code BAD_STATE} if this is not running, {@code NO_MEMORY} if as
     *         many tasks are open as was set
     */
    public SyncEventTask waitNotEqualTask(long value, long mask) {
        return task(SyncEventTask.Kind.WAIT_NOT_EQUAL, value, mask);
    }

    private SyncEventTask task(SyncEventTask.Kind kind, long value, long mask) {
        requireUsable();
        return SyncEventTask.create(this, object(), kind, value, mask);
    }

    /**
     * The counter. Stands for {@code doca_sync_event_get}. Any thread may ask.
     *
     * @return its value
     * @throws DocaException with {@code BAD_STATE} if this is not running
     */
    public long value() {
        enter();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.JAVA_LONG);
            check(doca_h.doca_sync_event_get(object(), result), "doca_sync_event_get", this);
            return result.get(ValueLayout.JAVA_LONG, 0);
        } finally {
            leave();
        }
    }

    /**
     * Sets the counter. Stands for {@code doca_sync_event_update_set}. Any thread may do so.
     *
     * @param value to what
     * @throws DocaException with {@code BAD_STATE} if this is not running
     */
    public void set(long value) {
        enter();
        try {
            check(doca_h.doca_sync_event_update_set(object(), value), "doca_sync_event_update_set", this);
        } finally {
            leave();
        }
    }

    /**
     * Adds to the counter. Stands for {@code doca_sync_event_update_add}. Any thread may do so.
     *
     * @param amount how much
     * @return the value before
     * @throws DocaException with {@code BAD_STATE} if this is not running
     */
    public long add(long amount) {
        enter();
        try (var arena = Arena.ofConfined()) {
            var before = arena.allocate(ValueLayout.JAVA_LONG);
            check(doca_h.doca_sync_event_update_add(object(), amount, before), "doca_sync_event_update_add", this);
            return before.get(ValueLayout.JAVA_LONG, 0);
        } finally {
            leave();
        }
    }

    /**
     * Waits until the masked counter is greater than a value, compared as unsigned. In place of
     * {@code doca_sync_event_wait_gt} and {@code doca_sync_event_wait_gt_yield}, which nothing can
     * end. Any thread may wait.
     *
     * @param value than which
     * @param mask the bits that count
     * @param timeout how long at most
     * @return whether it became greater in time
     * @throws DocaException with {@code BAD_STATE} if this does not run, or no more
     */
    public boolean awaitGreater(long value, long mask, Duration timeout) {
        return CounterWait.until(this, counter -> Long.compareUnsigned(counter & mask, value) > 0, timeout);
    }

    /**
     * Waits until the masked counter has a value. In place of {@code doca_sync_event_wait_eq}
     * and {@code doca_sync_event_wait_eq_yield}, which nothing can end. Any thread may wait.
     *
     * @param value which
     * @param mask the bits that count
     * @param timeout how long at most
     * @return whether it had the value in time
     * @throws DocaException with {@code BAD_STATE} if this does not run, or no more
     */
    public boolean awaitEqual(long value, long mask, Duration timeout) {
        return CounterWait.until(this, counter -> (counter & mask) == value, timeout);
    }

    /**
     * Waits until the masked counter has another value. In place of
     * {@code doca_sync_event_wait_neq} and {@code doca_sync_event_wait_neq_yield}, which nothing
     * can end. Any thread may wait.
     *
     * @param value than which
     * @param mask the bits that count
     * @param timeout how long at most
     * @return whether it had another in time
     * @throws DocaException with {@code BAD_STATE} if this does not run, or no more
     */
    public boolean awaitNotEqual(long value, long mask, Duration timeout) {
        return CounterWait.until(this, counter -> (counter & mask) != value, timeout);
    }

    /**
     * Describes the counter to the other side of PCI. Stands for
     * {@code doca_sync_event_export_to_remote_pci}.
     *
     * @param device the device
     * @return what {@link #fromExport} takes there
     * @throws DocaException with {@code BAD_STATE} if this is not running, {@code NOT_PERMITTED} if
     *         it has no remote location
     */
    public byte[] exportToRemotePci(Device device) {
        requireUsable();
        try (var arena = Arena.ofConfined()) {
            var address = arena.allocate(ValueLayout.ADDRESS);
            var length = arena.allocate(ValueLayout.JAVA_LONG);
            check(
                    doca_h.doca_sync_event_export_to_remote_pci(object(), device.handle(), address, length),
                    "doca_sync_event_export_to_remote_pci",
                    this);
            return address.get(ValueLayout.ADDRESS, 0)
                    .reinterpret(length.get(ValueLayout.JAVA_LONG, 0))
                    .toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /** Requires that the caller's memory, if the counter is there, has not been freed. */
    void requireMemory() {
        memory.require();
    }

    /** Moves the counter to the library's own memory, since the caller's was freed. */
    void leaveMemory() {
        if (DocaRuntime.current().kind() == RuntimeKind.SOFTWARE) {
            doca_h.jurom_sync_event_leave_memory(object());
        }
    }

    @Override
    public void close(Duration timeout) {
        super.close(timeout);
        memory.leave();
    }

    private synchronized void enter() {
        requireOpen();
        requireMemory();
        users++;
    }

    private synchronized void leave() {
        users--;
    }

    @Override
    void requireNoDependents() {
        super.requireNoDependents();
        if (users > 0) {
            throw new IllegalStateException(this + " cannot be closed while " + users + " threads use it");
        }
    }

    @Override
    public String toString() {
        return "sync event";
    }
}
