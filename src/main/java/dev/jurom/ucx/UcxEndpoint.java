// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.abi.ucx.ucp_request_param_t;
import dev.jurom.abi.ucx.ucx_h;
import java.lang.foreign.MemorySegment;

/**
 * A connection to a peer. Used by the thread of its worker, and closed before the worker. Stands
 * for {@code ucp_ep_h}.
 */
public final class UcxEndpoint implements AutoCloseable {

    /** Asks the receiver to reply through the same connection. */
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
     * Returns whether this endpoint is open.
     *
     * @return false once closing has begun
     */
    boolean isOpen() {
        return open;
    }

    /**
     * Sends an active message. Does not block. Stands for {@code ucp_am_send_nbx}.
     *
     * @param id the id of the message, which selects the handler of the receiver
     * @param header native memory with the user header, possibly empty
     * @param data native memory with the data; both must stay valid and unchanged until the request
     *         is done
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
     * Starts to flush this endpoint: the request is done when all operations that were started
     * through this endpoint are complete, also on the remote side. Does not block. Stands for
     * {@code ucp_ep_flush_nbx}.
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
     * Closes this endpoint after sent data has left. Has no effect if it is closed. Does not block.
     * Stands for {@code ucp_ep_close_nbx}.
     *
     * @return the request; progress the worker until it is done
     */
    public UcxRequest disconnect() {
        return close(0);
    }

    /**
     * Closes this endpoint immediately; pending operations fail. Has no effect if it is closed.
     * Does not block. Stands for {@code ucp_ep_close_nbx} with {@code UCP_EP_CLOSE_FLAG_FORCE}.
     *
     * @return the request; progress the worker until it is done
     */
    UcxRequest abort() {
        return close(ucx_h.UCP_EP_CLOSE_FLAG_FORCE());
    }

    /** Closes this endpoint immediately, as {@link #abort()} does. */
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
