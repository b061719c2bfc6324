// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_data;
import dev.jurom.abi.doca.doca_h;
import dev.jurom.core.internal.Count;
import dev.jurom.core.internal.DirectCalls;
import dev.jurom.runtime.DocaRuntime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A range of memory and what devices may do with it. Stands for {@code struct doca_mmap}.
 *
 * <p>It is configured while stopped; buffers are made of it, and it is exported, while started. Any
 * thread may use it. {@link #close()} stands for {@code doca_mmap_destroy}.
 *
 * <p>The memory is the caller's, of an Arena or of somebody else. It must live as long as the map
 * is started: when its arena is closed before, everything that would touch it throws
 * {@link IllegalStateException} instead.
 */
public final class MemoryMap extends Handle {

    private final MemorySegment handle;
    /** Of this process, for a map made from its export; else null. */
    private final @Nullable MemoryMap exporter;

    private final FreeListener freeListener = new FreeListener();
    private MemorySegment range = MemorySegment.NULL;
    private boolean started;

    private MemoryMap(MemorySegment handle) {
        this.handle = handle;
        this.exporter = null;
    }

    private MemoryMap(MemorySegment handle, Device device, MemoryMap exporter) {
        super(device, exporter);
        this.handle = handle;
        this.exporter = exporter;
        this.started = true;
        this.range = exporter.range;
    }

    private MemoryMap(MemorySegment handle, Device device) {
        super(device);
        this.handle = handle;
        this.exporter = null;
        this.started = true;
    }

    /**
     * Makes a map without memory, stopped. Stands for {@code doca_mmap_create} and
     * {@code doca_mmap_enable_thread_safety}.
     *
     * @return the map
     */
    public static MemoryMap create() {
        DocaRuntime.current();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(doca_h.doca_mmap_create(result), "doca_mmap_create", "memory map");
            var map = new MemoryMap(result.get(ValueLayout.ADDRESS, 0));
            try {
                check(doca_h.doca_mmap_enable_thread_safety(map.handle), "doca_mmap_enable_thread_safety", map);
                return map;
            } catch (DocaException e) {
                map.close();
                throw e;
            }
        }
    }

    /**
     * Makes a map of memory that somebody else exported, started. Stands for
     * {@code doca_mmap_create_from_export}.
     *
     * @param export what {@link #exportPci} or {@link #exportRdma} gave there
     * @param device the device that reaches the memory
     * @return a map that is started for life
     * @throws DocaException with {@code INVALID_VALUE} if the bytes are no export, {@code
     *         NOT_FOUND} if the exporter has stopped its map
     */
    public static MemoryMap fromExport(byte[] export, Device device) {
        var map = Exports.open(export, device);
        try {
            var exporter = Exports.find(export);
            return exporter.isPresent() ? new MemoryMap(map, device, exporter.get()) : new MemoryMap(map, device);
        } catch (IllegalStateException e) {
            doca_h.doca_mmap_destroy(map);
            throw e;
        }
    }

    /**
     * Sets the memory, once. Stands for {@code doca_mmap_set_memrange}.
     *
     * @param memory native memory of at least one byte; it must live as long as this map is started
     * @return this
     * @throws IllegalArgumentException if the segment is on the heap, read-only or empty
     * @throws DocaException with {@code BAD_STATE} if this map is started, {@code NOT_PERMITTED} if
     *         its memory was set before
     */
    public synchronized MemoryMap setRange(MemorySegment memory) {
        requireOpen();
        if (!memory.isNative() || memory.isReadOnly() || memory.byteSize() == 0) {
            throw new IllegalArgumentException("The memory of a map must be native, writable and" + " not empty; "
                    + memory + " is not: allocate it in an Arena");
        }
        check(doca_h.doca_mmap_set_memrange(handle, memory, memory.byteSize()), "doca_mmap_set_memrange", this);
        range = memory;
        freeListener.setMemory(memory);
        return this;
    }

    /**
     * Sets what may be done with the memory. Stands for {@code doca_mmap_set_permissions}.
     *
     * @param flags none means that the memory is only read, on this side
     * @return this
     * @throws DocaException with {@code BAD_STATE} if this map is started
     */
    public synchronized MemoryMap setPermissions(Set<AccessFlag> flags) {
        requireOpen();
        var mask = 0;
        for (var flag : flags) {
            mask |= flag.bit();
        }
        check(doca_h.doca_mmap_set_permissions(handle, mask), "doca_mmap_set_permissions", this);
        return this;
    }

    /**
     * Lets a device use the memory. Stands for {@code doca_mmap_add_dev}.
     *
     * @param device it must stay open until it is removed or this map is closed
     * @return this
     * @throws DocaException with {@code BAD_STATE} if this map is started, {@code
     *         ALREADY_EXIST} if it has the device, {@code NO_MEMORY} if it has as many as was set
     */
    public synchronized MemoryMap addDevice(Device device) {
        requireOpen();
        check(doca_h.doca_mmap_add_dev(handle, device.handle()), "doca_mmap_add_dev", this);
        try {
            dependOn(device);
        } catch (IllegalStateException e) {
            doca_h.doca_mmap_rm_dev(handle, device.handle());
            throw e;
        }
        return this;
    }

    /**
     * Takes the memory from a device. Stands for {@code doca_mmap_rm_dev}.
     *
     * @param device one that was added
     * @return this
     * @throws DocaException with {@code BAD_STATE} if this map is started, {@code NOT_FOUND} if
     *         it does not have the device
     */
    public synchronized MemoryMap removeDevice(Device device) {
        requireOpen();
        check(doca_h.doca_mmap_rm_dev(handle, device.handle()), "doca_mmap_rm_dev", this);
        dependNoMoreOn(device);
        return this;
    }

    /**
     * Sets how many devices this map can have. Stands for {@code doca_mmap_set_max_num_devices}.
     *
     * @param devices at least 1
     * @return this
     * @throws IllegalArgumentException if the number is less
     * @throws DocaException with {@code NOT_PERMITTED} if this map was started before, {@code
     *         INVALID_VALUE} if it has more already
     */
    public synchronized MemoryMap setMaxDevices(int devices) {
        requireOpen();
        Count.requireWithin("The number of devices", devices, 1, Integer.MAX_VALUE);
        check(doca_h.doca_mmap_set_max_num_devices(handle, devices), "doca_mmap_set_max_num_devices", this);
        return this;
    }

    /**
     * Attaches a number that means something to the caller. Stands for
     * {@code doca_mmap_set_user_data}.
     *
     * @param data any number
     * @return this
     * @throws DocaException with {@code BAD_STATE} if this map is started
     */
    public synchronized MemoryMap setUserData(long data) {
        requireOpen();
        check(DirectCalls.setMapUserData(handle.address(), data), "doca_mmap_set_user_data", this);
        return this;
    }

    /**
     * The number that was attached. Stands for {@code doca_mmap_get_user_data}.
     *
     * @return 0 if none was
     */
    public synchronized long userData() {
        requireOpen();
        try (var arena = Arena.ofConfined()) {
            var result = doca_data.allocate(arena);
            check(doca_h.doca_mmap_get_user_data(handle, result), "doca_mmap_get_user_data", this);
            return doca_data.u64(result);
        }
    }

    /**
     * Has a listener told when the library needs the memory no more: inside {@link #close()}, which
     * rethrows what it throws. Stands for {@code doca_mmap_set_free_cb}.
     *
     * @param listener is given the memory; takes the place of the previous one
     * @return this
     * @throws DocaException with {@code BAD_STATE} if this map is started
     */
    public synchronized MemoryMap onFree(Consumer<? super MemorySegment> listener) {
        requireOpen();
        check(
                doca_h.doca_mmap_set_free_cb(handle, Callbacks.MEMORY_FREED, freeListener.ticket()),
                "doca_mmap_set_free_cb",
                this);
        freeListener.set(listener);
        return this;
    }

    /**
     * Starts this map: its devices get to know the memory. Stands for {@code doca_mmap_start}.
     *
     * @return this
     * @throws IllegalStateException if the memory's arena is closed
     * @throws DocaException with {@code BAD_STATE} if no memory was set, {@code NOT_PERMITTED} if
     *         it is started
     */
    public synchronized MemoryMap start() {
        requireOpen();
        requireMemory();
        check(doca_h.doca_mmap_start(handle), "doca_mmap_start", this);
        started = true;
        return this;
    }

    /**
     * Stops this map; its exports are void from then on. Stands for {@code doca_mmap_stop}.
     *
     * @throws DocaException with {@code IN_USE} if imports of it exist, {@code NOT_PERMITTED} if
     *         buffers of it exist, it is not started or was made from an export
     */
    public synchronized void stop() {
        requireOpen();
        check(
                doca_h.doca_mmap_stop(handle),
                "doca_mmap_stop",
                this,
                DocaError.NOT_PERMITTED,
                "Close its buffers first; a map that is not started or is imported does not stop.");
        started = false;
        Exports.remove(this);
    }

    /**
     * Whether this map is started.
     *
     * @return true between start and stop
     */
    public synchronized boolean isStarted() {
        return started && isOpen();
    }

    /**
     * What the library knows of this map now.
     *
     * @return a snapshot
     */
    public synchronized MemoryMapState state() {
        requireOpen();
        return MemoryMapState.of(handle, this);
    }

    /**
     * How many bytes this map has. Stands for {@code doca_mmap_get_memrange}.
     *
     * @return 0 before memory is set
     */
    public synchronized long length() {
        requireOpen();
        return NativeRange.of(handle).length();
    }

    /**
     * The memory.
     *
     * @return the segment that was set, or that of the exporter in this process
     * @throws IllegalStateException if the memory is another process's, or none was set
     */
    public synchronized MemorySegment range() {
        requireOpen();
        if (range.equals(MemorySegment.NULL)) {
            throw new IllegalStateException(this
                    + (started
                            ? " is of another process's memory, which cannot be looked at from here"
                            : " has no memory yet"));
        }
        return range;
    }

    /**
     * Describes this map to the device's side. Stands for {@code doca_mmap_export_pci}.
     *
     * @param device one of this map's
     * @return what {@link #fromExport} takes there; void once this map is stopped
     * @throws DocaException with {@code NOT_PERMITTED} if this map is not started or no PCI access
     *         is allowed, {@code NOT_FOUND} if the device is not one of its
     */
    public synchronized byte[] exportPci(Device device) {
        return Exports.make(this, device, doca_h::doca_mmap_export_pci, "doca_mmap_export_pci");
    }

    /**
     * Describes this map to a peer that reaches it through RDMA. Stands for
     * {@code doca_mmap_export_rdma}.
     *
     * @param device one of this map's
     * @return what {@link #fromExport} takes there; void once this map is stopped
     * @throws DocaException with {@code NOT_PERMITTED} if this map is not started or no RDMA access
     *         is allowed, {@code NOT_FOUND} if the device is not one of its
     */
    public synchronized byte[] exportRdma(Device device) {
        return Exports.make(this, device, doca_h::doca_mmap_export_rdma, "doca_mmap_export_rdma");
    }

    /** The native map. */
    MemorySegment handle() {
        requireOpen();
        return handle;
    }

    /** The address of a part of the memory, which is checked against the range. */
    synchronized long address(long offset, long length) {
        requireOpen();
        requireMemory();
        var whole = NativeRange.of(handle);
        if (!whole.contains(offset, length)) {
            throw new IndexOutOfBoundsException(length + " bytes at offset " + offset + " are not within " + this);
        }
        return whole.address() + offset;
    }

    /** A view of a part of the memory. */
    synchronized MemorySegment view(long address, long length) {
        var memory = range();
        return memory.asSlice(address - NativeRange.of(handle).address(), length);
    }

    /** Requires that the memory has not been freed under this map. */
    void requireMemory() {
        if (!isMemoryAlive()) {
            throw new IllegalStateException(
                    "The memory of " + describe() + " is gone: its arena was closed before the map was");
        }
    }

    /** Returns whether the memory has not been freed under this map. */
    boolean isMemoryAlive() {
        return range.scope().isAlive();
    }

    @Override
    public void close() {
        super.close();
        freeListener.rethrow();
    }

    @Override
    void destroy() {
        check(doca_h.doca_mmap_destroy(handle), "doca_mmap_destroy", this);
        freeListener.end();
        Exports.remove(this);
    }

    private String describe() {
        return exporter == null ? "memory map" : "imported memory map";
    }

    @Override
    public String toString() {
        return isOpen() ? describe() + " of " + NativeRange.of(handle).length() + " bytes" : describe();
    }
}
