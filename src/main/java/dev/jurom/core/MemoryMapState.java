// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of a memory map at the time of {@link MemoryMap#state}. Instances are immutable. */
public final class MemoryMapState {

    @FunctionalInterface
    private interface Getter {
        int apply(MemorySegment map, MemorySegment result);
    }

    private final int buffers;
    private final int maxDevices;
    private final boolean exported;
    private final boolean imported;

    private MemoryMapState(int buffers, int maxDevices, boolean exported, boolean imported) {
        this.buffers = buffers;
        this.maxDevices = maxDevices;
        this.exported = exported;
        this.imported = imported;
    }

    /** Queries an open native map. */
    static MemoryMapState of(MemorySegment handle, MemoryMap map) {
        return new MemoryMapState(
                number(handle, doca_h::doca_mmap_get_num_bufs, "doca_mmap_get_num_bufs", map),
                number(handle, doca_h::doca_mmap_get_max_num_devices, "doca_mmap_get_max_num_devices", map),
                number(handle, doca_h::doca_mmap_get_exported, "doca_mmap_get_exported", map) != 0,
                number(handle, doca_h::doca_mmap_get_from_export, "doca_mmap_get_from_export", map) != 0);
    }

    /** Returns a number of 32 bits, or of 8 bits stored in the lowest byte of zeroed memory. */
    private static int number(MemorySegment handle, Getter getter, String function, MemoryMap map) {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.JAVA_INT);
            check(getter.apply(handle, result), function, map);
            return result.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /**
     * Returns how many buffers of the map exist. All buffers of a started pool count. Stands for
     * {@code doca_mmap_get_num_bufs}.
     *
     * @return 0 or more
     */
    public int buffers() {
        return buffers;
    }

    /**
     * Returns the maximum number of devices of the map. Stands for {@code doca_mmap_get_max_num_devices}.
     *
     * @return 1 or more
     */
    public int maxDevices() {
        return maxDevices;
    }

    /**
     * Returns whether the map has been exported since it was started. Stands for {@code doca_mmap_get_exported}.
     *
     * @return true if it has
     */
    public boolean exported() {
        return exported;
    }

    /**
     * Returns whether the map was created from an export. Stands for {@code doca_mmap_get_from_export}.
     *
     * @return true if it was
     */
    public boolean imported() {
        return imported;
    }

    private List<Object> values() {
        return List.of(buffers, maxDevices, exported, imported);
    }

    @Override
    @SuppressWarnings("exports") // the annotation is for compilers
    public boolean equals(@Nullable Object other) {
        return other instanceof MemoryMapState that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "MemoryMapState[buffers=" + buffers + ", maxDevices=" + maxDevices + ", exported=" + exported
                + ", imported=" + imported + "]";
    }
}
