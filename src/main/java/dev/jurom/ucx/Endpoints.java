// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.abi.ucx.ucp_ep_params;
import dev.jurom.abi.ucx.ucp_err_handler;
import dev.jurom.abi.ucx.ucx_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * The endpoints of one worker. Failures are noted while UCX is on the stack and delivered after it.
 */
final class Endpoints {

    private record Failure(UcxEndpoint endpoint, int status) {
    }

    private final UcxWorker worker;
    private final Slots<UcxEndpoint> slots = new Slots<>();
    private final Map<Long, UcxEndpoint> byHandle = new HashMap<>();
    private final ArrayDeque<Failure> failures = new ArrayDeque<>();
    private int open;

    Endpoints(UcxWorker worker) {
        this.worker = worker;
    }

    /** Makes an endpoint whose peer {@code parameters} name; a null handler means: not watched. */
    UcxEndpoint create(String what, MemorySegment parameters, UcxFailureHandler handler) {
        var endpoint = new UcxEndpoint(worker, handler);
        var number = slots.add(endpoint);
        try (var arena = Arena.ofConfined()) {
            if (handler != null) {
                watch(parameters, number);
            }
            var pointer = arena.allocate(ValueLayout.ADDRESS);
            UcxStatus.require(what, ucx_h.ucp_ep_create(worker.handle(), parameters, pointer));
            endpoint.connected(pointer.get(ValueLayout.ADDRESS, 0), number);
        } catch (RuntimeException e) {
            slots.remove(number);
            throw e;
        }
        byHandle.put(endpoint.handle().address(), endpoint);
        open++;
        return endpoint;
    }

    private void watch(MemorySegment parameters, int number) {
        ucp_ep_params.field_mask(parameters, ucp_ep_params.field_mask(parameters)
                | ucx_h.UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE()
                | ucx_h.UCP_EP_PARAM_FIELD_ERR_HANDLER());
        ucp_ep_params.err_mode(parameters, ucx_h.UCP_ERR_HANDLING_MODE_PEER());
        var errorHandler = ucp_ep_params.err_handler(parameters);
        ucp_err_handler.cb(errorHandler, Upcalls.FAILED);
        ucp_err_handler.arg(errorHandler, Upcalls.argument(worker.number(), number));
    }

    /** The endpoint that a message came through: one of ours, or one that UCX made by itself. */
    UcxEndpoint ofReply(MemorySegment handle) {
        var endpoint = byHandle.computeIfAbsent(handle.address(), address -> {
            var found = new UcxEndpoint(worker, null);
            found.connected(handle, UcxEndpoint.NOT_OURS);
            return found;
        });
        return endpoint.isOpen() ? endpoint : null;
    }

    /** Called by UCX. */
    void failed(int number, int status) {
        var endpoint = slots.get(number);
        if (endpoint != null) {
            failures.add(new Failure(endpoint, status));
        }
    }

    /** Tells the handlers what UCX has told, except about endpoints that were closed meanwhile. */
    void deliver() {
        for (var next = failures.poll(); next != null; next = failures.poll()) {
            if (next.endpoint.isOpen()) {
                next.endpoint.fail(next.status);
            }
        }
    }

    /** An endpoint begins to close. */
    void closing(UcxEndpoint endpoint) {
        if (endpoint.number() != UcxEndpoint.NOT_OURS) {
            open--;
        }
    }

    /** An endpoint is closed: UCX may give its handle to another. */
    void closed(UcxEndpoint endpoint) {
        byHandle.remove(endpoint.handle().address());
        if (endpoint.number() != UcxEndpoint.NOT_OURS) {
            slots.remove(endpoint.number());
        }
    }

    /** How many were made here and do not close yet. */
    int open() {
        return open;
    }
}
