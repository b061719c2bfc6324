// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker;

import dev.jurom.core.DocaException;
import java.lang.foreign.MemorySegment;

/**
 * Memory of a host that the host has exported as a memory map. The worker copies directly between this
 * memory and its own, so bulk data need not fit into commands and answers.
 *
 * <p>The host may write to the memory at any time: check the bytes that you read, and do not read them twice. When the
 * host disconnects, its memory is closed, after {@link WorkerPlugin#hostLeft}.
 *
 * <p>Instances are thread-safe.
 */
public interface ImportedMemory extends AutoCloseable {

    /**
     * Returns the size of the memory.
     *
     * @return a number of bytes, at least 1
     */
    long byteSize();

    /**
     * Copies bytes of the host.
     *
     * @param offset the offset of the first byte in the memory
     * @param to receives as many bytes as it has; if this method fails, some may have been copied
     * @throws IndexOutOfBoundsException if the memory has fewer bytes; nothing is copied
     * @throws IllegalStateException if this is closed, or the host has disconnected
     * @throws DocaException with {@code IO_FAILED} if the host has exited, stopped its memory map or freed
     *         the memory
     */
    void read(long offset, MemorySegment to);

    /**
     * Copies bytes to the host.
     *
     * @param offset the offset of the first byte in the memory
     * @param from contains the bytes; if this method fails, some may have been copied
     * @throws IndexOutOfBoundsException if the memory has fewer bytes; nothing is copied
     * @throws IllegalStateException if this is closed, or the host has disconnected
     * @throws DocaException with {@code NOT_PERMITTED} if the host has exported the memory for reading,
     *         {@code IO_FAILED} if it has exited, stopped its memory map or freed the memory
     */
    void write(long offset, MemorySegment from);

    /** Ends the access to the memory; copies of other threads fail. No effect if this is closed. */
    @Override
    void close();
}
