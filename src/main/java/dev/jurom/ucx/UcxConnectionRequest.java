// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.abi.ucx.ucp_conn_request_attr;
import dev.jurom.abi.ucx.ucx_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/**
 * Somebody who wants to connect to a listener: accept or reject, once. Stands for
 * {@code ucp_conn_request_h}.
 */
public final class UcxConnectionRequest {

    private final UcxListener listener;
    private final MemorySegment handle;
    private boolean answered;

    UcxConnectionRequest(UcxListener listener, MemorySegment handle) {
        this.listener = listener;
        this.handle = handle;
    }

    MemorySegment handle() {
        return handle;
    }

    /**
     * Who wants to connect. Stands for {@code ucp_conn_request_query}.
     *
     * @return the client's address
     * @throws IllegalStateException if the request has been answered
     */
    public InetSocketAddress clientAddress() {
        requireUnanswered();
        try (var arena = Arena.ofConfined()) {
            var attributes = ucp_conn_request_attr.allocate(arena);
            ucp_conn_request_attr.field_mask(attributes,
                    ucx_h.UCP_CONN_REQUEST_ATTR_FIELD_CLIENT_ADDR());
            UcxStatus.require("The client's address could not be read",
                    ucx_h.ucp_conn_request_query(handle, attributes));
            return SocketAddresses.read(ucp_conn_request_attr.client_address(attributes));
        }
    }

    /**
     * Connects; the endpoint is watched. Stands for {@code ucp_ep_create}.
     *
     * @param handler learns that the client is gone
     * @return the endpoint
     * @throws IllegalStateException if the request has been answered
     * @throws UcxException if the connection cannot be made; the request is then gone too
     */
    public UcxEndpoint accept(UcxFailureHandler handler) {
        requireUnanswered();
        answered = true;
        return listener.worker().accept(this, handler);
    }

    /**
     * Turns the client away. Stands for {@code ucp_listener_reject}.
     *
     * @throws IllegalStateException if the request has been answered
     */
    public void reject() {
        requireUnanswered();
        answered = true;
        UcxStatus.require("A connection could not be rejected",
                ucx_h.ucp_listener_reject(listener.handle(), handle));
    }

    boolean isAnswered() {
        return answered;
    }

    private void requireUnanswered() {
        listener.worker().requireThread();
        if (answered) {
            throw new IllegalStateException("This connection request has been answered");
        }
    }
}
