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
 * Exports of memory maps: how they are made and opened. Those that this process has made are
 * remembered: a map that is made from one of them here keeps its exporter open, and knows when the
 * exporter's memory is gone.
 */
final class Exports {

    private static final Map<ByteBuffer, MemoryMap> MAPS = new HashMap<>();

    /** A function of the library that describes a map to the other side of a device. */
    interface Function {

        int call(MemorySegment map, MemorySegment device, MemorySegment export, MemorySegment length);
    }

    private Exports() {}

    /** Exports a map by this function; the bytes are void when the map is stopped. */
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

    /** A new native map of the memory that was exported. */
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
                    "The exporter has stopped its map: export it again.");
            return result.get(ValueLayout.ADDRESS, 0);
        }
    }

    private static synchronized void remember(byte[] export, MemoryMap map) {
        MAPS.put(ByteBuffer.wrap(export.clone()), map);
    }

    /** Forgets the exports of a map: they are void. */
    static synchronized void remove(MemoryMap map) {
        MAPS.values().removeIf(other -> other == map);
    }

    /** The map of this process that was exported so, if it is one. */
    static synchronized Optional<MemoryMap> find(byte[] export) {
        return Optional.ofNullable(MAPS.get(ByteBuffer.wrap(export)));
    }
}
