// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import dev.jurom.core.DocaException;
import dev.jurom.plugin.internal.RegionUsers;
import dev.jurom.ucx.UcxMemory;
import dev.jurom.urom.UromDomain;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Memory of this process to which plugins can be given access. The region owns memory that
 * {@link HostMemory#allocate} has allocated. Memory passed to {@link HostMemory#share} belongs to the
 * caller, who keeps it until this region is closed.
 *
 * <p>The region cannot be closed before the domains and workers that use it. This class is thread-safe.
 * Stands for {@code ucp_mem_h}.
 */
public final class HostRegion implements AutoCloseable {

    private static final byte[] NO_HANDLE = {}; // UCX exports none over shared memory

    static {
        RegionUsers.setAccessor(HostRegion::addUser);
    }

    private final HostMemory host;
    private final MemorySegment memory;
    private final UcxMemory mapping;
    private final byte[] packedKey;
    private final @Nullable Arena arena; // owns the memory; null if the caller does

    // Guarded by this.
    private final Map<Object, BooleanSupplier> users = new LinkedHashMap<>(); // each with a test whether it is open
    private boolean closing; // a close has begun
    private boolean closed;

    HostRegion(HostMemory host, MemorySegment memory, UcxMemory mapping, @Nullable Arena arena) {
        this.arena = arena;
        this.host = host;
        this.memory = memory;
        this.mapping = mapping;
        this.packedKey = mapping.packKey();
    }

    /**
     * Returns the access through which plugins reach this region.
     *
     * @return the same object at each call
     */
    public HostMemory host() {
        return host;
    }

    /**
     * Returns the memory.
     *
     * @return the shared segment
     */
    public MemorySegment memory() {
        return memory;
    }

    /**
     * Returns the address of the memory.
     *
     * @return an address in this process
     */
    public long address() {
        return memory.address();
    }

    /**
     * Returns the size of the memory.
     *
     * @return a number of bytes, at least 1
     */
    public long length() {
        return memory.byteSize();
    }

    /**
     * Returns the remote key of the memory. Stands for {@code ucp_rkey_pack}.
     *
     * @return a copy of the packed key
     * @throws IllegalStateException if this is closed
     */
    public synchronized byte[] packedKey() {
        requireOpen();
        return packedKey.clone();
    }

    /**
     * Adds this region to a domain as its next buffer. The region cannot be closed before the domain.
     * Stands for {@code doca_urom_domain_add_buffer}.
     *
     * @param domain an idle domain of the current thread, whose
     *        {@linkplain UromDomain#setBufferCount number of buffers} is set
     * @throws IllegalStateException if this or the domain is closed
     * @throws WrongThreadException if the domain belongs to another thread
     * @throws DocaException as {@link UromDomain#addBuffer} does
     */
    public synchronized void addTo(UromDomain domain) {
        domain.addBuffer(memory, NO_HANDLE, packedKey());
        addUser(domain, domain::isOpen);
    }

    private synchronized void addUser(Object user, BooleanSupplier isOpen) {
        requireOpen();
        users.put(user, isOpen);
    }

    private void requireOpen() {
        if (closing) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /**
     * Ends the access of plugins to this memory, and frees the memory if this region owns it. No effect
     * if this is closed. Stands for {@code ucp_mem_unmap}.
     *
     * @throws IllegalStateException if a domain or worker that the message names uses this region;
     *         nothing is changed. Also if a channel or native call uses the memory to be freed: call
     *         this method again
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        users.values().removeIf(isOpen -> !isOpen.getAsBoolean());
        if (!users.isEmpty()) {
            throw new IllegalStateException(
                    this + " cannot be closed while others need it: close these first: " + users.keySet());
        }
        closing = true;
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
