// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker.internal;

import java.lang.foreign.MemorySegment;

/** Opens memory that hosts have exported. */
@FunctionalInterface
public interface MemorySource {

    /** Maximum number of bytes that are copied at once; {@code java.h} has the same number. */
    long PART = 1 << 18;

    /** Open memory. The caller checks bounds, and calls no method during or after {@link #close}. */
    interface Region {

        /**
         * Returns the size.
         *
         * @return a number of bytes
         */
        long byteSize();

        /**
         * Copies bytes of the host.
         *
         * @param offset the offset in the memory
         * @param to receives at most {@link MemorySource#PART} bytes
         */
        void read(long offset, MemorySegment to);

        /**
         * Copies bytes to the host.
         *
         * @param offset the offset in the memory
         * @param from contains at most {@link MemorySource#PART} bytes
         */
        void write(long offset, MemorySegment from);

        /** Releases the memory. */
        void close();
    }

    /**
     * Opens memory.
     *
     * @param export the export of a memory map
     * @return the memory
     * @throws dev.jurom.core.DocaException if there is no such memory, or it cannot be accessed
     */
    Region open(byte[] export);
}
