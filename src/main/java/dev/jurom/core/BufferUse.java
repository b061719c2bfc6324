// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

/** Keeps a buffer's source and map open as long as the buffer. */
final class BufferUse extends Handle {

    private final String name;

    BufferUse(String name, BufferSource source, MemoryMap map) {
        super(source, map);
        this.name = name;
    }

    @Override
    void destroy() {
        // the buffer's last reference is gone
    }

    @Override
    public String toString() {
        return name;
    }
}
