// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.abi.doca.doca_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The address range of a map's memory as the library reports it; for an import, the addresses on
 * the side of the exporter.
 *
 * @param address the address of the first byte
 * @param length the length in bytes, 0 before the memory is set
 */
record NativeRange(long address, long length) {

    private static final NativeRange NONE = new NativeRange(0, 0);

    static NativeRange of(MemorySegment map) {
        try (var arena = Arena.ofConfined()) {
            var address = arena.allocate(ValueLayout.JAVA_LONG);
            var length = arena.allocate(ValueLayout.JAVA_LONG);
            var status = doca_h.doca_mmap_get_memrange(map, address, length);
            return status != 0
                    ? NONE
                    : new NativeRange(address.get(ValueLayout.JAVA_LONG, 0), length.get(ValueLayout.JAVA_LONG, 0));
        }
    }

    /** Checks that a data section is within its buffer. */
    static void requireDataWithin(long offset, long length, long bufferLength) {
        if (!new NativeRange(0, bufferLength).contains(offset, length)) {
            throw new IndexOutOfBoundsException("A data section of " + length + " bytes at offset " + offset
                    + " is not within a buffer of " + bufferLength + " bytes");
        }
    }

    /**
     * Returns whether a part is within this range; negative numbers are allowed and return false.
     */
    boolean contains(long offset, long partLength) {
        return offset >= 0 && partLength >= 0 && offset <= length && partLength <= length - offset;
    }
}
