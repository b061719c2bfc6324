// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import dev.jurom.ucx.UcxMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Memory of this process that plugins may be given access to. The memory is its own if it was made by
 * {@link HostMemory#allocate}; that of {@link HostMemory#share} must outlive it, and all objects that
 * use it. This class is thread-safe. Stands for {@code ucp_mem_h}.
 */
public final class HostRegion implements AutoCloseable {

    private final HostMemory host;
    private final MemorySegment memory;
    private final UcxMemory mapping;
    private final byte[] packedKey;
    private final @Nullable Arena arena; // of its own memory
    private final Set<Object> users = new LinkedHashSet<>(); // guarded by this
    private boolean closed; // guarded by this

    HostRegion(HostMemory host, MemorySegment memory, UcxMemory mapping, @Nullable Arena arena) {
        this.arena = arena;
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
     * Adds an object through which plugins reach the memory.
     *
     * @param user the object, which is closed before this
     * @throws IllegalStateException if this is closed
     * @hidden
     */
    public synchronized void addUser(Object user) {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        users.add(user);
    }

    /**
     * Removes an object that is closed.
     *
     * @param user the object
     * @hidden
     */
    public synchronized void removeUser(Object user) {
        users.remove(user);
    }

    /**
     * Ends the access of plugins to this memory, and frees it if it is its own. No effect if this is
     * closed. Stands for {@code ucp_mem_unmap}.
     *
     * @throws IllegalStateException if a domain or worker has this region, which the message names,
     *         and nothing is changed; or if a channel or native call uses memory of its own: call
     *         this method again
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        if (!users.isEmpty()) {
            throw new IllegalStateException(
                    this + " cannot be closed while others need it: close" + " these first: " + users);
        }
        mapping.close();
        if (arena != null) {
            arena.close();
        }
        host.regionClosed();
        closed = true;
    }

    @Override
    public String toString() {
        return length() + " bytes of shared memory at 0x" + Long.toHexString(address());
    }
}
