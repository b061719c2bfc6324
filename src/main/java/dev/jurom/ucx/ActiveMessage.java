// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.abi.ucx.ucp_am_recv_param;
import dev.jurom.abi.ucx.ucx_h;
import java.lang.foreign.MemorySegment;

/**
 * A message that has arrived. It and its memory are valid only inside the handler that gets it; the
 * worker uses the object again for the next one.
 */
public final class ActiveMessage {

    private final UcxWorker worker;
    private MemorySegment header = MemorySegment.NULL;
    private MemorySegment data = MemorySegment.NULL;
    private boolean rendezvous;
    private boolean fetching;

    ActiveMessage(UcxWorker worker) {
        this.worker = worker;
    }

    /** Takes what UCX passes to its callback. */
    void set(MemorySegment newHeader, long headerLength, MemorySegment newData, long length, MemorySegment parameters) {
        var attributes = ucp_am_recv_param.recv_attr(parameters);
        header = newHeader.reinterpret(headerLength);
        data = newData.reinterpret(length);
        rendezvous = (attributes & ucx_h.UCP_AM_RECV_ATTR_FLAG_RNDV()) != 0;
        fetching = false;
    }

    void clear() {
        header = MemorySegment.NULL;
        data = MemorySegment.NULL;
    }

    /** Whether data is still to come after the handler: UCX then keeps its descriptor. */
    boolean isFetching() {
        return fetching;
    }

    /**
     * The user header.
     *
     * @return its bytes, possibly none
     */
    public MemorySegment header() {
        return header;
    }

    /**
     * How long the data is.
     *
     * @return bytes, as the sender says: check it before making room
     */
    public long length() {
        return data.byteSize();
    }

    /**
     * Moves the data to where it shall be. Data that is not received is dropped.
     *
     * @param target native memory of at least {@link #length()} bytes, alive until the request ends
     * @return the request: done at once if the data came with the message, else later
     * @throws IndexOutOfBoundsException if {@code target} is too small
     */
    public UcxRequest receive(MemorySegment target) {
        var place = target.asSlice(0, length());
        var requests = worker.requests();
        var request = requests.begin();
        if (!rendezvous) {
            place.copyFrom(data);
            return requests.started(request, MemorySegment.NULL);
        }
        fetching = true;
        return requests.started(
                request,
                ucx_h.ucp_am_recv_data_nbx(
                        worker.handle(),
                        data,
                        place,
                        place.byteSize(),
                        requests.parameters(request, Upcalls.RECEIVED, 0)));
    }
}
