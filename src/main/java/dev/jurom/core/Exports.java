// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_data;
import dev.jurom.abi.doca.doca_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Exports and imports memory maps. It records the exports of this process: a map that is created
 * from one of them keeps its exporter open, and detects that the memory of the exporter was freed.
 */
final class Exports {

    private static final Map<ByteBuffer, MemoryMap> MAPS = new HashMap<>();

    /** A function of the library that exports a map. */
    interface Function {

        int call(MemorySegment map, MemorySegment device, MemorySegment export, MemorySegment length);
    }

    private Exports() {}

    /** Exports a map with a function; the export becomes invalid when the map is stopped. */
    static byte[] make(MemoryMap map, Device device, Function function, String name) {
        try (var arena = Arena.ofConfined()) {
            var address = arena.allocate(ValueLayout.ADDRESS);
            var length = arena.allocate(ValueLayout.JAVA_LONG);
            check(function.call(map.handle(), device.handle(), address, length), name, map);
            var export = address.get(ValueLayout.ADDRESS, 0)
                    .reinterpret(length.get(ValueLayout.JAVA_LONG, 0))
                    .toArray(ValueLayout.JAVA_BYTE);
            remember(export, map);
            return export;
        }
    }

    /** Creates a native map of exported memory. */
    static MemorySegment open(byte[] export, Device device) {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(
                    doca_h.doca_mmap_create_from_export(
                            doca_data.allocate(arena),
                            arena.allocateFrom(ValueLayout.JAVA_BYTE, export),
                            export.length,
                            device.handle(),
                            result),
                    "doca_mmap_create_from_export",
                    device,
                    DocaError.NOT_FOUND,
                    "The exporter has stopped its map: start and export it again.");
            return result.get(ValueLayout.ADDRESS, 0);
        }
    }

    private static synchronized void remember(byte[] export, MemoryMap map) {
        MAPS.put(ByteBuffer.wrap(export.clone()), map);
    }

    /** Removes the exports of a map, which are invalid. */
    static synchronized void remove(MemoryMap map) {
        MAPS.values().removeIf(other -> other == map);
    }

    /** Returns the map of this process with this export, if any. */
    static synchronized Optional<MemoryMap> find(byte[] export) {
        return Optional.ofNullable(MAPS.get(ByteBuffer.wrap(export)));
    }
}
