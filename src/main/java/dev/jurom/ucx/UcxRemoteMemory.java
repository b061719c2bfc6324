// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.abi.ucx.ucx_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * Memory of a peer, reached through an endpoint. Offsets are checked against its length here: UCX
 * does not. Belongs to the endpoint's thread; close it before the endpoint. Stands for
 * {@code ucp_rkey_h}.
 *
 * <p>Local memory must be native and live until the request is done. A request of {@link #put} or
 * {@link #post} that is done says that local memory may be used again; {@link UcxEndpoint#flush()}
 * says that the peer has it all.
 */
public final class UcxRemoteMemory implements AutoCloseable {

    private static final Runnable NOTHING = () -> { };

    private final UcxEndpoint endpoint;
    private final MemorySegment key;
    private final long address;
    private final long length;
    private boolean closed;

    UcxRemoteMemory(UcxEndpoint endpoint, byte[] packedKey, long address, long length) {
        this.endpoint = endpoint;
        this.address = address;
        this.length = length;
        try (var arena = Arena.ofConfined()) {
            var pointer = arena.allocate(ValueLayout.ADDRESS);
            UcxStatus.require("The key of remote memory could not be unpacked",
                    ucx_h.ucp_ep_rkey_unpack(endpoint.handle(),
                            arena.allocateFrom(ValueLayout.JAVA_BYTE, packedKey), pointer));
            key = pointer.get(ValueLayout.ADDRESS, 0);
        }
    }

    /**
     * Writes to the peer's memory. Stands for {@code ucp_put_nbx}.
     *
     * @param source what to write, all of it
     * @param offset where in the remote memory it goes
     * @return the request
     * @throws IndexOutOfBoundsException if it does not fit there
     * @throws IllegalStateException if this memory or its endpoint is closed
     */
    public UcxRequest put(MemorySegment source, long offset) {
        var target = remote(offset, source.byteSize());
        var request = begin();
        return started(request, ucx_h.ucp_put_nbx(endpoint.handle(), source, source.byteSize(),
                target, key, requests().parameters(request, Upcalls.COMPLETED, 0)));
    }

    /**
     * Reads from the peer's memory. Stands for {@code ucp_get_nbx}.
     *
     * @param target where it goes; it is filled
     * @param offset where in the remote memory it is
     * @return the request; {@code target} is filled when it is done
     * @throws IndexOutOfBoundsException if there is not so much
     * @throws IllegalStateException if this memory or its endpoint is closed
     */
    public UcxRequest get(MemorySegment target, long offset) {
        var source = remote(offset, target.byteSize());
        var request = begin();
        return started(request, ucx_h.ucp_get_nbx(endpoint.handle(), target, target.byteSize(),
                source, key, requests().parameters(request, Upcalls.COMPLETED, 0)));
    }

    /**
     * Changes one remote number atomically. Stands for {@code ucp_atomic_op_nbx}.
     *
     * @param operation any but {@code SWAP} and {@code COMPARE_AND_SWAP}
     * @param operand 4 or 8 bytes: their count is the number's size
     * @param offset where in the remote memory the number is, a multiple of its size
     * @return the request
     * @throws IllegalArgumentException if the operation or the sizes are not as said
     * @throws IndexOutOfBoundsException if the number is not inside the memory
     * @throws IllegalStateException if this memory or its endpoint is closed
     */
    public UcxRequest post(AtomicOperation operation, MemorySegment operand, long offset) {
        if (!operation.canPost()) {
            throw new IllegalArgumentException(operation + " fetches: use fetch");
        }
        return atomic(operation, operand, offset, null);
    }

    /**
     * Changes one remote number atomically and fetches what it was. Stands for
     * {@code ucp_atomic_op_nbx} with a reply buffer.
     *
     * @param operation any
     * @param operand 4 or 8 bytes: their count is the number's size
     * @param offset where in the remote memory the number is, a multiple of its size
     * @param result as long as the operand; holds the number as it was when the request is done
     * @return the request
     * @throws IllegalArgumentException if the sizes are not as said
     * @throws IndexOutOfBoundsException if the number is not inside the memory
     * @throws IllegalStateException if this memory or its endpoint is closed
     */
    public UcxRequest fetch(AtomicOperation operation, MemorySegment operand, long offset,
            MemorySegment result) {
        if (result.byteSize() != operand.byteSize()) {
            throw new IllegalArgumentException("The result has " + result.byteSize()
                    + " bytes and the operand " + operand.byteSize());
        }
        return atomic(operation, operand, offset, result);
    }

    private UcxRequest atomic(AtomicOperation operation, MemorySegment operand, long offset,
            MemorySegment result) {
        var size = operand.byteSize();
        if (size != Integer.BYTES && size != Long.BYTES) {
            throw new IllegalArgumentException(
                    "An atomic operand has 4 or 8 bytes, not " + size);
        }
        var target = remote(offset, size);
        if (target % size != 0) {
            throw new IllegalArgumentException("An atomic number of " + size
                    + " bytes cannot be at the unaligned offset " + offset);
        }
        var request = begin();
        return started(request, ucx_h.ucp_atomic_op_nbx(endpoint.handle(), operation.code(),
                operand, 1, target, key, requests().parameters(request, (int) size, result)));
    }

    private long remote(long offset, long size) {
        endpoint.requireOpen();
        if (closed) {
            throw new IllegalStateException("This remote memory is closed");
        }
        return address + Objects.checkFromIndexSize(offset, size, length);
    }

    private Requests requests() {
        return endpoint.worker().requests();
    }

    private UcxRequest begin() {
        return requests().begin(NOTHING);
    }

    private UcxRequest started(UcxRequest request, MemorySegment answer) {
        return requests().started(request, answer);
    }

    /** Gives the key back; closing again does nothing. Stands for {@code ucp_rkey_destroy}. */
    @Override
    public void close() {
        endpoint.worker().requireThread();
        if (!closed) {
            closed = true;
            ucx_h.ucp_rkey_destroy(key);
        }
    }
}
