// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.abi.ucx.ucp_am_recv_param;
import dev.jurom.abi.ucx.ucx_h;
import java.lang.foreign.MemorySegment;

/**
 * A received active message. The object and its memory are valid only inside the handler; the
 * worker reuses the object for the next message.
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

    /** Sets the arguments that UCX passes to its callback. */
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

    /**
     * Returns whether data arrives after the handler returns, so that UCX must keep the descriptor
     * of the message.
     */
    boolean isFetching() {
        return fetching;
    }

    /**
     * Returns the user header.
     *
     * @return its bytes, possibly none
     */
    public MemorySegment header() {
        return header;
    }

    /**
     * Returns the length of the data.
     *
     * @return the length in bytes, as the sender states it: check it before allocating memory
     */
    public long length() {
        return data.byteSize();
    }

    /**
     * Receives the data. Data that is not received is dropped.
     *
     * @param target native memory of at least {@link #length()} bytes, which must stay valid until
     *         the request is done
     * @return the request, which is already done if the data arrived with the message
     * @throws IndexOutOfBoundsException if {@code target} is too small
     */
    public UcxRequest receive(MemorySegment target) {
        var destination = target.asSlice(0, length());
        var requests = worker.requests();
        var request = requests.begin();
        if (!rendezvous) {
            destination.copyFrom(data);
            return requests.started(request, MemorySegment.NULL);
        }
        fetching = true;
        return requests.started(
                request,
                ucx_h.ucp_am_recv_data_nbx(
                        worker.handle(),
                        data,
                        destination,
                        destination.byteSize(),
                        requests.parameters(request, Upcalls.RECEIVED, 0)));
    }
}
