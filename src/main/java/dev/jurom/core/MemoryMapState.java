// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The state of a memory map in the library, at the time of the query.
 *
 * @param buffers the number of open buffers; for a started pool, all of its buffers:
 *         {@code doca_mmap_get_num_bufs}
 * @param maxDevices the maximum number of devices: {@code doca_mmap_get_max_num_devices}
 * @param exported whether the map was exported since it was started: {@code doca_mmap_get_exported}
 * @param imported whether the map was created from an export: {@code doca_mmap_get_from_export}
 */
public record MemoryMapState(int buffers, int maxDevices, boolean exported, boolean imported) {

    @FunctionalInterface
    private interface Getter {
        int apply(MemorySegment map, MemorySegment result);
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
}
