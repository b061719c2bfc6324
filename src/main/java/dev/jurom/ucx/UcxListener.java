// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.abi.ucx.ucp_listener_attr;
import dev.jurom.abi.ucx.ucp_listener_conn_handler;
import dev.jurom.abi.ucx.ucp_listener_params;
import dev.jurom.abi.ucx.ucx_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/**
 * Waits for connections at an address. Belongs to its worker's thread; close it before the worker.
 * Stands for {@code ucp_listener_h}.
 */
public final class UcxListener implements AutoCloseable {

    private final UcxWorker worker;
    private final int number;
    private final Consumer<UcxConnectionRequest> handler;
    private final MemorySegment handle;
    private final InetSocketAddress address;
    private boolean closed;

    UcxListener(UcxWorker worker, InetSocketAddress wanted,
            Consumer<UcxConnectionRequest> handler) {
        this.worker = worker;
        this.handler = handler;
        this.number = worker.listeners().add(this);
        try {
            handle = create(wanted);
            address = query();
        } catch (RuntimeException e) {
            worker.listeners().remove(number);
            throw e;
        }
    }

    private MemorySegment create(InetSocketAddress wanted) {
        try (var arena = Arena.ofConfined()) {
            var parameters = ucp_listener_params.allocate(arena);
            ucp_listener_params.field_mask(parameters, ucx_h.UCP_LISTENER_PARAM_FIELD_SOCK_ADDR()
                    | ucx_h.UCP_LISTENER_PARAM_FIELD_CONN_HANDLER());
            SocketAddresses.write(ucp_listener_params.sockaddr(parameters), wanted, arena);
            var callback = ucp_listener_params.conn_handler(parameters);
            ucp_listener_conn_handler.cb(callback, Upcalls.CONNECTION);
            ucp_listener_conn_handler.arg(callback, Upcalls.argument(worker.number(), number));
            var pointer = arena.allocate(ValueLayout.ADDRESS);
            UcxStatus.require("Listening at " + wanted + " is not possible",
                    ucx_h.ucp_listener_create(worker.handle(), parameters, pointer));
            return pointer.get(ValueLayout.ADDRESS, 0);
        }
    }

    private InetSocketAddress query() {
        try (var arena = Arena.ofConfined()) {
            var attributes = ucp_listener_attr.allocate(arena);
            ucp_listener_attr.field_mask(attributes, ucx_h.UCP_LISTENER_ATTR_FIELD_SOCKADDR());
            UcxStatus.require("The listener's address could not be read",
                    ucx_h.ucp_listener_query(handle, attributes));
            return SocketAddresses.read(ucp_listener_attr.sockaddr(attributes));
        } catch (UcxException e) {
            ucx_h.ucp_listener_destroy(handle);
            throw e;
        }
    }

    MemorySegment handle() {
        return handle;
    }

    UcxWorker worker() {
        return worker;
    }


    Consumer<UcxConnectionRequest> handler() {
        return handler;
    }

    /**
     * Where it listens, with the port that the system chose when port 0 was asked for.
     *
     * @return the address
     */
    public InetSocketAddress address() {
        return address;
    }

    /** Stops listening; closing again does nothing. Stands for {@code ucp_listener_destroy}. */
    @Override
    public void close() {
        worker.requireThread();
        if (!closed) {
            worker.listeners().rejectAll(this);
            closed = true;
            ucx_h.ucp_listener_destroy(handle);
            worker.listeners().remove(number);
        }
    }
}
