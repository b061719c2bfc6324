// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

/** Keeps the source and the map of a buffer open as long as the buffer. */
final class BufferUse extends Handle {

    private final String name;

    BufferUse(String name, BufferSource source, MemoryMap map) {
        super(source, map);
        this.name = name;
    }

    @Override
    void destroy() {
        // the last reference to the buffer was released before
    }

    @Override
    public String toString() {
        return name;
    }
}
