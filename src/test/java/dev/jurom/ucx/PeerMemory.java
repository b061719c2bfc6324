// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.abi.ucx.ucx_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Memory mapped by a peer, as accessed by the worker side of a plugin. Bounds are not checked. */
public final class PeerMemory implements AutoCloseable {

    private final UcxEndpoint endpoint;
    private final MemorySegment key;
    private final long address;

    /** Opens memory at an address of the peer with the remote key packed by the peer. */
    public PeerMemory(UcxEndpoint endpoint, byte[] packedKey, long address) {
        this.endpoint = endpoint;
        this.address = address;
        try (var arena = Arena.ofConfined()) {
            var pointer = arena.allocate(ValueLayout.ADDRESS);
            UcxStatus.require(
                    "The key cannot be unpacked",
                    ucx_h.ucp_ep_rkey_unpack(
                            endpoint.handle(), arena.allocateFrom(ValueLayout.JAVA_BYTE, packedKey), pointer));
            key = pointer.get(ValueLayout.ADDRESS, 0);
        }
    }

    /** Writes native memory to the peer. The write is complete after the endpoint has been flushed. */
    public UcxRequest put(MemorySegment source, long offset) {
        var request = begin();
        return requests()
                .started(
                        request,
                        ucx_h.ucp_put_nbx(
                                endpoint.handle(),
                                source,
                                source.byteSize(),
                                address + offset,
                                key,
                                parameters(request)));
    }

    /** Reads memory of the peer into native memory. */
    public UcxRequest get(MemorySegment target, long offset) {
        var request = begin();
        return requests()
                .started(
                        request,
                        ucx_h.ucp_get_nbx(
                                endpoint.handle(),
                                target,
                                target.byteSize(),
                                address + offset,
                                key,
                                parameters(request)));
    }

    private PendingRequests requests() {
        return endpoint.worker().requests();
    }

    private UcxRequest begin() {
        return requests().begin();
    }

    private MemorySegment parameters(UcxRequest request) {
        return requests().parameters(request, Upcalls.COMPLETED, 0);
    }

    @Override
    public void close() {
        ucx_h.ucp_rkey_destroy(key);
    }
}
