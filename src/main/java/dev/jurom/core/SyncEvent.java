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
 * A 64-bit counter that both sides of PCI, and threads of a process, can set, add to, read and wait
 * for. Stands for {@code struct doca_sync_event}.
 *
 * <p>While it is running, any thread may call {@link #value()}, {@link #set}, {@link #add} and the
 * methods that wait; only the thread that owns the engine may call the others. Tasks do the same
 * asynchronously.
 *
 * <p>It is started and stopped like any context: {@link #start()} is in place of
 * {@code doca_sync_event_start}, {@link #stop()} is in place of {@code doca_sync_event_stop};
 * {@link #close()} stands for {@code doca_sync_event_destroy}.
 */
public final class SyncEvent extends Context {

    private final CounterMemory memory = new CounterMemory(this);
    private int users; // threads inside a call; guarded by this

    private SyncEvent(Supplier<NativeContext> maker, ProgressEngine engine, Device device) {
        super(maker, engine, device);
        try {
            setTasks(SyncEventTask.Kind.GET, 1); // a context without tasks cannot be started
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /**
     * Creates an idle event for the processor of this side. Stands for
     * {@code doca_sync_event_create}, {@code doca_sync_event_as_ctx}, {@code doca_pe_connect_ctx},
     * {@code doca_sync_event_add_publisher_location_cpu} and
     * {@code doca_sync_event_add_subscriber_location_cpu}.
     *
     * @param engine the engine to connect to; the calling thread must own it
     * @param device the device
     * @return an idle context, with a counter of 0
     * @throws DocaException if the library cannot create it
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
        } catch (RuntimeException | Error e) {
            event.close();
            throw e;
        }
        return event;
    }

    /**
     * Creates an idle event for a counter that another event exported, in this process or another.
     * Stands for {@code doca_sync_event_create_from_export}.
     *
     * @param engine the engine to connect to; the calling thread must own it
     * @param device the device that accesses the counter
     * @param export the result of {@link #exportToRemotePci}
     * @return an idle context
     * @throws DocaException with {@code INVALID_VALUE} if {@code export} is not an export,
     *         {@code NOT_FOUND} if the exporter has closed its event
     */
    public static SyncEvent fromExport(ProgressEngine engine, Device device, byte[] export) {
        return new SyncEvent(() -> SyncEventOrigin.fromExport(device, export), engine, device);
    }

    /**
     * Allows the other side of PCI to set the counter and to add to it. Stands for
     * {@code doca_sync_event_add_publisher_location_remote_pci}.
     *
     * @return this
     * @throws DocaException with {@code BAD_STATE} if this event is not idle
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
     * Allows the other side of PCI to read the counter and to wait for it. Stands for
     * {@code doca_sync_event_add_subscriber_location_remote_pci}.
     *
     * @return this
     * @throws DocaException with {@code BAD_STATE} if this event is not idle
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
     * Places the counter in memory of the caller. If the arena of the memory is closed before this
     * event is, methods that access the counter throw {@link IllegalStateException}, and tasks in
     * flight end with {@code IO_FAILED}. Stands for {@code doca_sync_event_set_addr} and
     * {@code jurom_sync_event_leave_memory}.
     *
     * @param counter 8 bytes of native memory, aligned to 8 bytes, which must stay valid as long as
     *         this event is running
     * @return this
     * @throws IllegalArgumentException if {@code counter} is on the heap, too short or not aligned
     * @throws DocaException with {@code BAD_STATE} if this event is not idle
     */
    public SyncEvent setMemory(MemorySegment counter) {
        requireUsable();
        CounterMemory.requireSuitable(counter);
        check(doca_h.doca_sync_event_set_addr(object(), counter), "doca_sync_event_set_addr", this);
        memory.use(counter);
        return this;
    }

    /**
     * Places the counter at the beginning of a buffer's data section. Stands for
     * {@code doca_sync_event_set_doca_buf}.
     *
     * @param counter a buffer of memory of this process with at least 8 bytes from there on,
     *         aligned to 8 bytes; it is in use, and cannot be closed, until this event is closed
     * @return this
     * @throws DocaException with {@code INVALID_VALUE} if there are fewer bytes or they are not
     *         aligned, {@code NOT_PERMITTED} if the memory of the map is read-only,
     *         {@code BAD_STATE} if this event is not idle
     */
    public SyncEvent setBuffer(Buffer counter) {
        requireUsable();
        check(doca_h.doca_sync_event_set_doca_buf(object(), counter.handle()), "doca_sync_event_set_doca_buf", this);
        memory.use(counter);
        return this;
    }

    /**
     * Sets the maximum number of open tasks of a kind: by default 1 for
     * {@link SyncEventTask.Kind#GET}, 0 for the others. Stands for
     * {@code doca_sync_event_task_get_set_conf}, {@code doca_sync_event_task_notify_set_set_conf},
     * {@code doca_sync_event_task_notify_add_set_conf},
     * {@code doca_sync_event_task_wait_eq_set_conf} and
     * {@code doca_sync_event_task_wait_neq_set_conf}.
     *
     * @param kind the kind of task
     * @param tasks the maximum, 1 to 65536
     * @return this
     * @throws IllegalArgumentException if {@code tasks} is out of range
     * @throws DocaException with {@code NOT_PERMITTED} if this event is not idle
     */
    public SyncEvent setTasks(SyncEventTask.Kind kind, int tasks) {
        requireUsable();
        kind.configure(this, object(), tasks);
        return this;
    }

    /**
     * Creates a task that reads the counter. Stands for {@code doca_sync_event_task_get_alloc_init}
     * and {@code doca_sync_event_task_get_as_doca_task}.
     *
     * @return the task, which the caller must close
     * @throws DocaException with {@code BAD_STATE} if this event is not running, {@code NO_MEMORY}
     *         if the maximum number of such tasks is open
     */
    public SyncEventTask getTask() {
        return task(SyncEventTask.Kind.GET, 0, 0);
    }

    /**
     * Creates a task that sets the counter. Stands for
     * {@code doca_sync_event_task_notify_set_alloc_init} and
     * {@code doca_sync_event_task_notify_set_as_doca_task}.
     *
     * @param value the value to set
     * @return the task, which the caller must close
     * @throws DocaException with {@code BAD_STATE} if this event is not running, {@code NO_MEMORY}
     *         if the maximum number of such tasks is open
     */
    public SyncEventTask setTask(long value) {
        return task(SyncEventTask.Kind.SET, value, 0);
    }

    /**
     * Creates a task that adds to the counter. Stands for
     * {@code doca_sync_event_task_notify_add_alloc_init} and
     * {@code doca_sync_event_task_notify_add_as_doca_task}.
     *
     * @param amount the amount to add
     * @return the task, which the caller must close
     * @throws DocaException with {@code BAD_STATE} if this event is not running, {@code NO_MEMORY}
     *         if the maximum number of such tasks is open
     */
    public SyncEventTask addTask(long amount) {
        return task(SyncEventTask.Kind.ADD, amount, 0);
    }

    /**
     * Creates a task that completes when the masked counter equals a value. Stands for
     * {@code doca_sync_event_task_wait_eq_alloc_init} and
     * {@code doca_sync_event_task_wait_eq_as_doca_task}.
     *
     * @param value the value to wait for
     * @param mask the bits of the counter to compare
     * @return the task, which the caller must close
     * @throws DocaException with {@code BAD_STATE} if this event is not running, {@code NO_MEMORY}
     *         if the maximum number of such tasks is open
     */
    public SyncEventTask waitEqualTask(long value, long mask) {
        return task(SyncEventTask.Kind.WAIT_EQUAL, value, mask);
    }

    /**
     * Creates a task that completes when the masked counter does not equal a value. Stands for
     * {@code doca_sync_event_task_wait_neq_alloc_init} and
     * {@code doca_sync_event_task_wait_neq_as_doca_task}.
     *
     * @param value the value that ends the wait when the counter differs from it
     * @param mask the bits of the counter to compare
     * @return the task, which the caller must close
     * @throws DocaException with {@code BAD_STATE} if this event is not running, {@code NO_MEMORY}
     *         if the maximum number of such tasks is open
     */
    public SyncEventTask waitNotEqualTask(long value, long mask) {
        return task(SyncEventTask.Kind.WAIT_NOT_EQUAL, value, mask);
    }

    private SyncEventTask task(SyncEventTask.Kind kind, long value, long mask) {
        requireUsable();
        return SyncEventTask.create(this, object(), kind, value, mask);
    }

    /**
     * Returns the counter. Any thread may call this method. Does not block. Stands for
     * {@code doca_sync_event_get}.
     *
     * @return the value of the counter
     * @throws IllegalStateException if this event is closed, or the memory of the counter was freed
     * @throws DocaException with {@code BAD_STATE} if this event is not running
     */
    public long value() {
        enter();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.JAVA_LONG);
            check(doca_h.doca_sync_event_get(object(), result), "doca_sync_event_get", this);
            return result.get(ValueLayout.JAVA_LONG, 0);
        } finally {
            exit();
        }
    }

    /**
     * Sets the counter. Any thread may call this method. Does not block. Stands for
     * {@code doca_sync_event_update_set}.
     *
     * @param value the value to set
     * @throws IllegalStateException if this event is closed, or the memory of the counter was freed
     * @throws DocaException with {@code BAD_STATE} if this event is not running
     */
    public void set(long value) {
        enter();
        try {
            check(doca_h.doca_sync_event_update_set(object(), value), "doca_sync_event_update_set", this);
        } finally {
            exit();
        }
    }

    /**
     * Adds to the counter. Any thread may call this method. Does not block. Stands for
     * {@code doca_sync_event_update_add}.
     *
     * @param amount the amount to add
     * @return the previous value
     * @throws IllegalStateException if this event is closed, or the memory of the counter was freed
     * @throws DocaException with {@code BAD_STATE} if this event is not running
     */
    public long add(long amount) {
        enter();
        try (var arena = Arena.ofConfined()) {
            var before = arena.allocate(ValueLayout.JAVA_LONG);
            check(doca_h.doca_sync_event_update_add(object(), amount, before), "doca_sync_event_update_add", this);
            return before.get(ValueLayout.JAVA_LONG, 0);
        } finally {
            exit();
        }
    }

    /**
     * Waits until the masked counter is greater than a value, compared as unsigned numbers. Any
     * thread may call this method. Blocks for at most the timeout; not interruptible: the interrupt
     * status is preserved. In place of {@code doca_sync_event_wait_gt} and
     * {@code doca_sync_event_wait_gt_yield}, which have no timeout.
     *
     * @param value the value to compare with
     * @param mask the bits of the counter to compare
     * @param timeout the maximum time to wait
     * @return whether the counter was greater in time
     * @throws IllegalStateException if this event is closed, or the memory of the counter was freed
     * @throws DocaException with {@code BAD_STATE} if this event is not running, or stops while
     *         this method waits
     */
    public boolean awaitGreater(long value, long mask, Duration timeout) {
        return CounterWait.until(this, counter -> Long.compareUnsigned(counter & mask, value) > 0, timeout);
    }

    /**
     * Waits until the masked counter equals a value. Any thread may call this method. Blocks for at
     * most the timeout; not interruptible: the interrupt status is preserved. In place of
     * {@code doca_sync_event_wait_eq} and {@code doca_sync_event_wait_eq_yield}, which have no
     * timeout.
     *
     * @param value the value to wait for
     * @param mask the bits of the counter to compare
     * @param timeout the maximum time to wait
     * @return whether the counter had the value in time
     * @throws IllegalStateException if this event is closed, or the memory of the counter was freed
     * @throws DocaException with {@code BAD_STATE} if this event is not running, or stops while
     *         this method waits
     */
    public boolean awaitEqual(long value, long mask, Duration timeout) {
        return CounterWait.until(this, counter -> (counter & mask) == value, timeout);
    }

    /**
     * Waits until the masked counter does not equal a value. Any thread may call this method.
     * Blocks for at most the timeout; not interruptible: the interrupt status is preserved. In
     * place of {@code doca_sync_event_wait_neq} and {@code doca_sync_event_wait_neq_yield}, which
     * have no timeout.
     *
     * @param value the value that ends the wait when the counter differs from it
     * @param mask the bits of the counter to compare
     * @param timeout the maximum time to wait
     * @return whether the counter had a different value in time
     * @throws IllegalStateException if this event is closed, or the memory of the counter was freed
     * @throws DocaException with {@code BAD_STATE} if this event is not running, or stops while
     *         this method waits
     */
    public boolean awaitNotEqual(long value, long mask, Duration timeout) {
        return CounterWait.until(this, counter -> (counter & mask) != value, timeout);
    }

    /**
     * Exports the counter for the other side of PCI. Stands for
     * {@code doca_sync_event_export_to_remote_pci}.
     *
     * @param device the device
     * @return the export, for {@link #fromExport} on the other side
     * @throws DocaException with {@code BAD_STATE} if this event is not running,
     *         {@code NOT_PERMITTED} if it allows no access from the other side
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

    /** Checks that the memory of the counter was not freed. */
    void requireMemory() {
        memory.require();
    }

    /** Moves the counter to memory of the library, because the memory of the caller was freed. */
    void detachMemory() {
        if (DocaRuntime.current().kind() == RuntimeKind.SOFTWARE) {
            doca_h.jurom_sync_event_leave_memory(object());
        }
    }

    @Override
    public void close(Duration timeout) {
        super.close(timeout);
        memory.release();
    }

    private synchronized void enter() {
        requireOpen();
        requireMemory();
        users++;
    }

    private synchronized void exit() {
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
