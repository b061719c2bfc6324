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
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A range of memory and the access rights of devices to it. Stands for {@code struct doca_mmap};
 * {@link #close()} stands for {@code doca_mmap_destroy}.
 *
 * <p>A map is configured while stopped. While it is started, buffers can be allocated from it, and
 * it can be exported. This class is thread-safe. No method blocks.
 *
 * <p>The caller provides the memory, which must stay valid as long as the map is started. If the
 * arena of the memory is closed earlier, methods that would access the memory throw
 * {@link IllegalStateException} instead.
 */
public final class MemoryMap extends Handle {

    private final MemorySegment handle;
    /** The map in this process whose export this map was created from, or null. */
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
     * Creates a stopped map without memory. Stands for {@code doca_mmap_create} and
     * {@code doca_mmap_enable_thread_safety}.
     *
     * @return the map
     * @throws DocaException if the library cannot create it
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
     * Creates a started map of memory that another map exported, in this process or another. Stands
     * for {@code doca_mmap_create_from_export}.
     *
     * @param export the result of {@link #exportPci} or {@link #exportRdma}
     * @param device the device that accesses the memory
     * @return a map that stays started until it is closed
     * @throws DocaException with {@code INVALID_VALUE} if {@code export} is not an export,
     *         {@code NOT_FOUND} if the exporter has stopped its map
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
     * Sets the memory, which is possible once. Stands for {@code doca_mmap_set_memrange}.
     *
     * @param memory native memory of at least one byte, which must stay valid as long as this map
     *         is started
     * @return this
     * @throws IllegalArgumentException if {@code memory} is on the heap, read-only or empty
     * @throws DocaException with {@code BAD_STATE} if this map is started, {@code NOT_PERMITTED} if
     *         its memory was set before
     */
    public synchronized MemoryMap setRange(MemorySegment memory) {
        requireOpen();
        if (!memory.isNative() || memory.isReadOnly() || memory.byteSize() == 0) {
            throw new IllegalArgumentException("The memory of a map must be native, writable and not empty, but is "
                    + memory + ": allocate it in an Arena");
        }
        check(doca_h.doca_mmap_set_memrange(handle, memory, memory.byteSize()), "doca_mmap_set_memrange", this);
        range = memory;
        freeListener.setMemory(memory);
        return this;
    }

    /**
     * Sets the access rights to the memory. Stands for {@code doca_mmap_set_permissions}.
     *
     * @param flags the rights; without flags, libraries on this side can read the memory
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
     * Gives a device access to the memory. Stands for {@code doca_mmap_add_dev}.
     *
     * @param device the device; it must stay open until it is removed or this map is closed
     * @return this
     * @throws DocaException with {@code NOT_PERMITTED} if this map is started, {@code ALREADY_EXIST} if
     *         it has the device, {@code NO_MEMORY} if it has the maximum number of devices
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
     * Removes a device from this map. Stands for {@code doca_mmap_rm_dev}.
     *
     * @param device a device that was added
     * @return this
     * @throws DocaException with {@code NOT_PERMITTED} if this map is started, {@code NOT_FOUND} if it
     *         does not have the device
     */
    public synchronized MemoryMap removeDevice(Device device) {
        requireOpen();
        check(doca_h.doca_mmap_rm_dev(handle, device.handle()), "doca_mmap_rm_dev", this);
        removeDependency(device);
        return this;
    }

    /**
     * Sets the maximum number of devices. Stands for {@code doca_mmap_set_max_num_devices}.
     *
     * @param devices the maximum, at least 1
     * @return this
     * @throws IllegalArgumentException if {@code devices} is less than 1
     * @throws DocaException with {@code NOT_PERMITTED} if this map was started before,
     *         {@code INVALID_VALUE} if it already has more devices
     */
    public synchronized MemoryMap setMaxDevices(int devices) {
        requireOpen();
        Count.requireWithin("The number of devices", devices, 1, Integer.MAX_VALUE);
        check(doca_h.doca_mmap_set_max_num_devices(handle, devices), "doca_mmap_set_max_num_devices", this);
        return this;
    }

    /**
     * Attaches a number that the library stores for the caller. Stands for
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
     * Returns the number that was attached with {@link #setUserData}. Stands for
     * {@code doca_mmap_get_user_data}.
     *
     * @return the number, 0 by default
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
     * Sets the listener that is called when the library no longer uses the memory. It is called
     * inside {@link #close()}, which rethrows its exceptions. Stands for
     * {@code doca_mmap_set_free_cb}.
     *
     * @param listener receives the memory; replaces the previous listener
     * @return this
     * @throws DocaException with {@code BAD_STATE} if this map is started
     */
    public synchronized MemoryMap onFree(Consumer<? super MemorySegment> listener) {
        Objects.requireNonNull(listener);
        requireOpen();
        check(
                doca_h.doca_mmap_set_free_cb(handle, Callbacks.OfMaps.FREED, freeListener.ticket()),
                "doca_mmap_set_free_cb",
                this);
        freeListener.set(listener);
        return this;
    }

    /**
     * Starts this map, which registers the memory with its devices. Stands for
     * {@code doca_mmap_start}.
     *
     * @return this
     * @throws IllegalStateException if the memory was freed
     * @throws DocaException with {@code BAD_STATE} if no memory was set, {@code NOT_PERMITTED} if
     *         this map is already started
     */
    public synchronized MemoryMap start() {
        requireOpen();
        requireMemory();
        check(doca_h.doca_mmap_start(handle), "doca_mmap_start", this);
        started = true;
        return this;
    }

    /**
     * Stops this map, which invalidates its exports. Stands for {@code doca_mmap_stop}.
     *
     * @throws DocaException with {@code IN_USE} if imports of this map exist, {@code NOT_PERMITTED}
     *         if buffers of it are open, it is not started, or it was created from an export
     */
    public synchronized void stop() {
        requireOpen();
        check(
                doca_h.doca_mmap_stop(handle),
                "doca_mmap_stop",
                this,
                DocaError.NOT_PERMITTED,
                "Close its buffers first; a map that is not started, or is imported, cannot be stopped.");
        started = false;
        Exports.remove(this);
    }

    /**
     * Returns whether this map is started.
     *
     * @return true between start and stop
     */
    public synchronized boolean isStarted() {
        return started && isOpen();
    }

    /**
     * Returns the state of this map in the library.
     *
     * @return a snapshot
     */
    public synchronized MemoryMapState state() {
        requireOpen();
        return MemoryMapState.of(handle, this);
    }

    /**
     * Returns the size of the memory. Stands for {@code doca_mmap_get_memrange}.
     *
     * @return the size in bytes; 0 before the memory is set
     */
    public synchronized long length() {
        requireOpen();
        return NativeRange.of(handle).length();
    }

    /**
     * Returns the memory.
     *
     * @return the segment that was set, in this process, for this map or for the map that exported
     *         it
     * @throws IllegalStateException if the memory belongs to another process, or was not set
     */
    public synchronized MemorySegment range() {
        requireOpen();
        if (range.equals(MemorySegment.NULL)) {
            throw new IllegalStateException(this
                    + (started
                            ? " has memory of another process, which this process cannot access"
                            : " has no memory yet"));
        }
        return range;
    }

    /**
     * Exports this map for the other side of PCI. Stands for {@code doca_mmap_export_pci}.
     *
     * @param device a device of this map
     * @return the export, for {@link #fromExport} on the other side; valid until this map is
     *         stopped
     * @throws DocaException with {@code NOT_PERMITTED} if this map is not started or does not allow
     *         PCI access, {@code NOT_FOUND} if it does not have the device
     */
    public synchronized byte[] exportPci(Device device) {
        return Exports.make(this, device, doca_h::doca_mmap_export_pci, "doca_mmap_export_pci");
    }

    /**
     * Exports this map for a peer that accesses it through RDMA. Stands for
     * {@code doca_mmap_export_rdma}.
     *
     * @param device a device of this map
     * @return the export, for {@link #fromExport} at the peer; valid until this map is stopped
     * @throws DocaException with {@code NOT_PERMITTED} if this map is not started or does not allow
     *         RDMA access, {@code NOT_FOUND} if it does not have the device
     */
    public synchronized byte[] exportRdma(Device device) {
        return Exports.make(this, device, doca_h::doca_mmap_export_rdma, "doca_mmap_export_rdma");
    }

    /** Returns the native map. */
    MemorySegment handle() {
        requireOpen();
        return handle;
    }

    /** Returns the address of a part of the memory, after checking that it is within the memory. */
    synchronized long address(long offset, long length) {
        requireOpen();
        requireMemory();
        var whole = NativeRange.of(handle);
        if (!whole.contains(offset, length)) {
            throw new IndexOutOfBoundsException(length + " bytes at offset " + offset + " are not within " + this);
        }
        return whole.address() + offset;
    }

    /** Returns a view of a part of the memory. */
    synchronized MemorySegment view(long address, long length) {
        var memory = range();
        return memory.asSlice(address - NativeRange.of(handle).address(), length);
    }

    /** Checks that the memory was not freed. */
    void requireMemory() {
        if (!isMemoryAlive()) {
            throw new IllegalStateException(
                    "The memory of " + describe() + " was freed: its arena was closed before the map");
        }
    }

    /** Returns whether the memory was not freed. */
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
