// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.abi.ucx.ucp_request_param_t;
import dev.jurom.abi.ucx.ucx_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;

/**
 * The pending operations of one worker. All operations share one parameter block, because UCX reads
 * it only inside the call that starts an operation.
 */
final class PendingRequests {

    private final UcxWorker worker;
    private final CallbackTable<UcxRequest> pending = new CallbackTable<>();
    private final Set<UcxRequest> begun = new HashSet<>(); // those that UCX has accepted
    private final MemorySegment parameters;

    PendingRequests(UcxWorker worker, Arena arena) {
        this.worker = worker;
        this.parameters = ucp_request_param_t.allocate(arena);
    }

    /** Creates a request for an operation that is about to start. */
    UcxRequest begin() {
        var number = pending.add(null);
        var request = new UcxRequest(number);
        pending.set(number, request);
        return request;
    }

    /** Returns the parameters for starting {@code request}. */
    MemorySegment parameters(UcxRequest request, MemorySegment callback, int flags) {
        ucp_request_param_t.op_attr_mask(
                parameters,
                ucx_h.UCP_OP_ATTR_FIELD_CALLBACK()
                        | ucx_h.UCP_OP_ATTR_FIELD_USER_DATA()
                        | ucx_h.UCP_OP_ATTR_FIELD_FLAGS());
        ucp_request_param_t.flags(parameters, flags);
        ucp_request_param_t.cb.send(ucp_request_param_t.cb(parameters), callback);
        ucp_request_param_t.user_data(parameters, Upcalls.argument(worker.number(), request.number()));
        return parameters;
    }

    /** Records the result of starting {@code request}. */
    UcxRequest started(UcxRequest request, MemorySegment answer) {
        if (answer.address() == 0) {
            finish(request, UcxStatus.OK);
        } else if (UcxStatus.isError(answer)) {
            finish(request, UcxStatus.errorOf(answer));
        } else if (!request.isDone()) {
            request.begun(answer);
            begun.add(request);
        }
        return request;
    }

    /** Called by UCX. */
    void completed(MemorySegment nativeRequest, int number, int status) {
        ucx_h.ucp_request_free(nativeRequest);
        var request = pending.get(number);
        begun.remove(request);
        finish(request, status);
    }

    /**
     * Frees pending requests before their worker is destroyed. UCX terminates the process if a
     * request still waits for the end of an endpoint.
     */
    void abandon() {
        begun.forEach(request -> ucx_h.ucp_request_free(request.handle()));
        begun.clear();
    }

    private void finish(UcxRequest request, int status) {
        pending.remove(request.number());
        request.finish(status);
    }
}
