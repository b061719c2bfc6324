// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The memory maps that this process has exported, by their exports: a map that is made from one of
 * them here keeps its exporter open, and knows when the exporter's memory is gone.
 */
final class Exports {

    private static final Map<ByteBuffer, MemoryMap> MAPS = new HashMap<>();

    private Exports() {
    }

    static synchronized void add(byte[] export, MemoryMap map) {
        MAPS.put(ByteBuffer.wrap(export.clone()), map);
    }

    static synchronized void remove(MemoryMap map) {
        MAPS.values().removeIf(other -> other == map);
    }

    static synchronized Optional<MemoryMap> find(byte[] export) {
        return Optional.ofNullable(MAPS.get(ByteBuffer.wrap(export)));
    }
}
