// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import dev.jurom.ucx.UcxMemory;
import java.lang.foreign.MemorySegment;

/**
 * Memory of this process that plugins may be given access to. It does not own the memory, which
 * must outlive it. Any thread may use it. Stands for {@code ucp_mem_h}.
 */
public final class HostRegion implements AutoCloseable {

    private final HostMemory host;
    private final MemorySegment memory;
    private final UcxMemory mapping;
    private final byte[] packedKey;
    private boolean closed; // guarded by this

    HostRegion(HostMemory host, MemorySegment memory, UcxMemory mapping) {
        this.host = host;
        this.memory = memory;
        this.mapping = mapping;
        this.packedKey = mapping.packKey();
    }

    /**
     * The way by which plugins reach it.
     *
     * @return the same for life
     */
    public HostMemory host() {
        return host;
    }

    /**
     * The memory itself.
     *
     * @return the segment that was shared
     */
    public MemorySegment memory() {
        return memory;
    }

    /**
     * Where the memory begins.
     *
     * @return its address in this process
     */
    public long address() {
        return memory.address();
    }

    /**
     * How long it is.
     *
     * @return its bytes, at least 1
     */
    public long length() {
        return memory.byteSize();
    }

    /**
     * The remote key of the memory. Stands for {@code ucp_rkey_pack}.
     *
     * @return its packed form
     * @throws IllegalStateException if this is closed
     */
    public synchronized byte[] packedKey() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        return packedKey.clone();
    }

    /**
     * Shares this memory no more; have plugins end their use of it first. Closing twice is fine.
     * Stands for {@code ucp_mem_unmap}.
     */
    @Override
    public synchronized void close() {
        if (!closed) {
            mapping.close();
            host.regionClosed();
            closed = true;
        }
    }

    @Override
    public String toString() {
        return length() + " bytes of shared memory at 0x" + Long.toHexString(address());
    }
}
