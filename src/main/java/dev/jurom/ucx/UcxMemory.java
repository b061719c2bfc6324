// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.abi.ucx.ucp_mem_map_params;
import dev.jurom.abi.ucx.ucx_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A mapping of memory of this process that peers can access. It does not own the memory, which must
 * outlive it. Stands for {@code ucp_mem_h}. This class is thread-safe.
 */
public final class UcxMemory implements AutoCloseable {

    private final UcxContext context;
    private final MemorySegment memory;
    private final MemorySegment handle;
    private boolean closed;

    UcxMemory(UcxContext context, MemorySegment memory) {
        if (!memory.isNative() || memory.byteSize() == 0) {
            throw new IllegalArgumentException("Only native memory of at least one byte can be mapped, not " + memory);
        }
        this.context = context;
        this.memory = memory;
        this.handle = map();
        context.addChild();
    }

    private MemorySegment map() {
        try (var arena = Arena.ofConfined()) {
            var parameters = ucp_mem_map_params.allocate(arena);
            ucp_mem_map_params.field_mask(
                    parameters, ucx_h.UCP_MEM_MAP_PARAM_FIELD_ADDRESS() | ucx_h.UCP_MEM_MAP_PARAM_FIELD_LENGTH());
            ucp_mem_map_params.address(parameters, memory);
            ucp_mem_map_params.length(parameters, memory.byteSize());
            var pointer = arena.allocate(ValueLayout.ADDRESS);
            UcxStatus.require(
                    "Mapping " + memory.byteSize() + " bytes of memory failed",
                    ucx_h.ucp_mem_map(context.handle(), parameters, pointer));
            return pointer.get(ValueLayout.ADDRESS, 0);
        }
    }

    /**
     * Returns the key by which peers access this memory. Stands for {@code ucp_rkey_pack}.
     *
     * @return the packed key, to be sent to peers together with the address and the length
     * @throws IllegalStateException if this mapping is closed
     */
    public synchronized byte[] packKey() {
        requireOpen();
        try (var arena = Arena.ofConfined()) {
            var pointer = arena.allocate(ValueLayout.ADDRESS);
            var size = arena.allocate(ValueLayout.JAVA_LONG);
            UcxStatus.require(
                    "Packing the key of mapped memory failed",
                    ucx_h.ucp_rkey_pack(context.handle(), handle, pointer, size));
            var buffer = pointer.get(ValueLayout.ADDRESS, 0).reinterpret(size.get(ValueLayout.JAVA_LONG, 0));
            var key = buffer.toArray(ValueLayout.JAVA_BYTE);
            ucx_h.ucp_rkey_buffer_release(buffer);
            return key;
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("This UCX memory mapping is closed");
        }
    }

    /**
     * Unmaps the memory. Has no effect if this mapping is closed. Stands for {@code ucp_mem_unmap}.
     *
     * @throws UcxException if UCX cannot unmap the memory; call this method again
     */
    @Override
    public synchronized void close() {
        if (!closed) {
            UcxStatus.require("Unmapping memory failed", ucx_h.ucp_mem_unmap(context.handle(), handle));
            closed = true;
            context.removeChild();
        }
    }
}
