// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.abi.ucx.ucp_request_param_t;
import dev.jurom.abi.ucx.ucx_h;
import java.lang.foreign.MemorySegment;

/**
 * A connection to a peer. Belongs to its worker's thread; close it before the worker. Stands for
 * {@code ucp_ep_h}.
 */
public final class UcxEndpoint implements AutoCloseable {

    /** Ask the receiver to answer through the same connection. */
    public static final int REPLY = ucx_h.UCP_AM_SEND_FLAG_REPLY();

    private final UcxWorker worker;
    private final MemorySegment handle;
    private boolean open = true;

    UcxEndpoint(UcxWorker worker, MemorySegment handle) {
        this.worker = worker;
        this.handle = handle;
    }

    MemorySegment handle() {
        return handle;
    }

    UcxWorker worker() {
        return worker;
    }

    /**
     * Whether this endpoint can still be used.
     *
     * @return false once closing has begun
     */
    public boolean isOpen() {
        return open;
    }

    /**
     * Sends an active message. Stands for {@code ucp_am_send_nbx}.
     *
     * @param id the message's id, as the receiver's handler has it
     * @param header native memory, possibly empty, that goes ahead of the data
     * @param data native memory; both must live, unchanged, until the request is done
     * @param flags 0 or {@link #REPLY}
     * @return the request
     * @throws IllegalStateException if this endpoint is closed
     */
    public UcxRequest send(int id, MemorySegment header, MemorySegment data, int flags) {
        requireOpen();
        var request = worker.requests().begin();
        return worker.requests()
                .started(
                        request,
                        ucx_h.ucp_am_send_nbx(
                                handle,
                                id,
                                header,
                                header.byteSize(),
                                data,
                                data.byteSize(),
                                worker.requests().parameters(request, Upcalls.COMPLETED, flags)));
    }

    /**
     * Waits, without blocking, until all that was started through this endpoint is done, on the
     * remote side too. Stands for {@code ucp_ep_flush_nbx}.
     *
     * @return the request
     * @throws IllegalStateException if this endpoint is closed
     */
    public UcxRequest flush() {
        requireOpen();
        var request = worker.requests().begin();
        return worker.requests()
                .started(
                        request,
                        ucx_h.ucp_ep_flush_nbx(handle, worker.requests().parameters(request, Upcalls.COMPLETED, 0)));
    }

    /**
     * Closes this endpoint after what was sent has left. Closing again does nothing. Stands for
     * {@code ucp_ep_close_nbx}.
     *
     * @return the request; the worker must be progressed until it is done
     */
    public UcxRequest disconnect() {
        return close(0);
    }

    /**
     * Closes this endpoint at once; what is under way fails. Closing again does nothing. Stands for
     * {@code ucp_ep_close_nbx} with {@code UCP_EP_CLOSE_FLAG_FORCE}.
     *
     * @return the request; the worker must be progressed until it is done
     */
    public UcxRequest abort() {
        return close(ucx_h.UCP_EP_CLOSE_FLAG_FORCE());
    }

    /** Closes this endpoint at once, as {@link #abort()} does. */
    @Override
    public void close() {
        abort();
    }

    private UcxRequest close(int flags) {
        worker.requireThread();
        var requests = worker.requests();
        if (!open) {
            return requests.started(requests.begin(), MemorySegment.NULL);
        }
        open = false;
        worker.endpointClosing();
        var request = requests.begin();
        var parameters = requests.parameters(request, Upcalls.COMPLETED, flags);
        ucp_request_param_t.flags(parameters, flags);
        return requests.started(request, ucx_h.ucp_ep_close_nbx(handle, parameters));
    }

    void requireOpen() {
        worker.requireThread();
        if (!open) {
            throw new IllegalStateException("This UCX endpoint is closed");
        }
    }
}
