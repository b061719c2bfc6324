// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.core.internal.NativeContext;
import dev.jurom.core.internal.Timeout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * A 64-bit counter that the two sides of PCI, and the threads of a process, set, add to, read and
 * wait for. Stands for {@code struct doca_sync_event}.
 *
 * <p>While it runs, any thread may use {@link #value()}, {@link #set}, {@link #add} and the methods
 * that wait; the rest is for its engine's thread. Tasks do the same asynchronously.
 */
public final class SyncEvent extends Context {

    private static final int LOOKS_BEFORE_PARKING = 1000;
    private static final long PARKING_NANOS = 50_000;

    private MemorySegment memory = MemorySegment.NULL; // the counter's, if it is the caller's
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
     * {@code doca_sync_event_create}, {@code doca_pe_connect_ctx},
     * {@code doca_sync_event_add_publisher_location_cpu} and {@code
     * .._add_subscriber_location_cpu}.
     *
     * @param engine what progresses its tasks
     * @param device the device
     * @return an idle context; the counter begins at 0
     */
    public static SyncEvent create(ProgressEngine engine, Device device) {
        var event = new SyncEvent(() -> createNative(device), engine, device);
        try {
            check(doca_h.doca_sync_event_add_publisher_location_cpu(event.object(),
                    device.handle()), "doca_sync_event_add_publisher_location_cpu", event);
            check(doca_h.doca_sync_event_add_subscriber_location_cpu(event.object(),
                    device.handle()), "doca_sync_event_add_subscriber_location_cpu", event);
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
        return new SyncEvent(() -> importNative(device, export), engine, device);
    }

    private static NativeContext createNative(Device device) {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(doca_h.doca_sync_event_create(result), "doca_sync_event_create", device);
            return nativeContext(result.get(ValueLayout.ADDRESS, 0));
        }
    }

    private static NativeContext importNative(Device device, byte[] export) {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(doca_h.doca_sync_event_create_from_export(device.handle(),
                    arena.allocateFrom(ValueLayout.JAVA_BYTE, export), export.length, result),
                    "doca_sync_event_create_from_export", device);
            return nativeContext(result.get(ValueLayout.ADDRESS, 0));
        }
    }

    private static NativeContext nativeContext(MemorySegment event) {
        return new NativeContext(event, doca_h.doca_sync_event_as_ctx(event),
                "doca_sync_event_destroy", doca_h::doca_sync_event_destroy);
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
        check(doca_h.doca_sync_event_add_publisher_location_remote_pci(object()),
                "doca_sync_event_add_publisher_location_remote_pci", this);
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
        check(doca_h.doca_sync_event_add_subscriber_location_remote_pci(object()),
                "doca_sync_event_add_subscriber_location_remote_pci", this);
        return this;
    }

    /**
     * Puts the counter into the caller's memory. Stands for {@code doca_sync_event_set_addr}.
     *
     * @param counter 8 bytes of native memory, aligned to 8; they must live as long as this runs:
     *        when their arena is closed before, using this throws {@link IllegalStateException}
     * @return this
     * @throws IllegalArgumentException if the segment is on the heap, too short or not aligned
     * @throws DocaException with {@code BAD_STATE} if it is not idle
     */
    public SyncEvent setMemory(MemorySegment counter) {
        requireUsable();
        if (!counter.isNative() || counter.isReadOnly() || counter.byteSize() < Long.BYTES
                || counter.address() % Long.BYTES != 0) {
            throw new IllegalArgumentException("The counter needs 8 writable bytes of native memory"
                    + " at a multiple of 8; " + counter + " is not that");
        }
        check(doca_h.doca_sync_event_set_addr(object(), counter), "doca_sync_event_set_addr", this);
        memory = counter;
        return this;
    }

    /**
     * Sets how many tasks of a kind can be open; at first, one that reads. Stands for
     * {@code doca_sync_event_task_get_set_conf} and its kin.
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
     * Makes a task that reads the counter.
     *
     * @return the task, to be submitted and closed
     * @throws DocaException with {@code BAD_STATE} if this is not running, {@code NO_MEMORY} if as
     *         many tasks are open as was set
     */
    public SyncEventTask getTask() {
        return task(SyncEventTask.Kind.GET, 0, 0);
    }

    /**
     * Makes a task that sets the counter.
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
     * Makes a task that adds to the counter.
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
     * Makes a task that completes when the masked counter has a value.
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
     * Makes a task that completes when the masked counter has another value.
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
            check(doca_h.doca_sync_event_update_set(object(), value), "doca_sync_event_update_set",
                    this);
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
            check(doca_h.doca_sync_event_update_add(object(), amount, before),
                    "doca_sync_event_update_add", this);
            return before.get(ValueLayout.JAVA_LONG, 0);
        } finally {
            leave();
        }
    }

    /**
     * Waits until the masked counter is greater than a value, compared as unsigned. In place of
     * {@code doca_sync_event_wait_gt}, which nothing can end. Any thread may wait.
     *
     * @param value than which
     * @param mask the bits that count
     * @param timeout how long at most
     * @return whether it became greater in time
     * @throws DocaException with {@code BAD_STATE} if this does not run, or no more
     */
    public boolean awaitGreater(long value, long mask, Duration timeout) {
        return await(counter -> Long.compareUnsigned(counter & mask, value) > 0, timeout);
    }

    /**
     * Waits until the masked counter has a value. In place of {@code doca_sync_event_wait_eq},
     * which nothing can end. Any thread may wait.
     *
     * @param value which
     * @param mask the bits that count
     * @param timeout how long at most
     * @return whether it had the value in time
     * @throws DocaException with {@code BAD_STATE} if this does not run, or no more
     */
    public boolean awaitEqual(long value, long mask, Duration timeout) {
        return await(counter -> (counter & mask) == value, timeout);
    }

    /**
     * Waits until the masked counter has another value. In place of {@code
     * doca_sync_event_wait_neq}, which nothing can end. Any thread may wait.
     *
     * @param value than which
     * @param mask the bits that count
     * @param timeout how long at most
     * @return whether it had another in time
     * @throws DocaException with {@code BAD_STATE} if this does not run, or no more
     */
    public boolean awaitNotEqual(long value, long mask, Duration timeout) {
        return await(counter -> (counter & mask) != value, timeout);
    }

    private boolean await(LongPredicate condition, Duration timeout) {
        var deadline = System.nanoTime() + Timeout.nanos(timeout);
        for (var looks = 0; !condition.test(value()); looks++) {
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            if (looks < LOOKS_BEFORE_PARKING) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(this, PARKING_NANOS);
            }
        }
        return true;
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
            check(doca_h.doca_sync_event_export_to_remote_pci(object(), device.handle(), address,
                    length), "doca_sync_event_export_to_remote_pci", this);
            return address.get(ValueLayout.ADDRESS, 0)
                    .reinterpret(length.get(ValueLayout.JAVA_LONG, 0))
                    .toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /** Requires that the caller's memory, if the counter is there, has not been freed. */
    void requireMemory() {
        if (!memory.scope().isAlive()) {
            throw new IllegalStateException("The memory of " + this
                    + " is gone: its arena was closed before the event was");
        }
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
            throw new IllegalStateException(this + " cannot be closed while " + users
                    + " threads use it");
        }
    }

    @Override
    public String toString() {
        return "sync event";
    }
}
