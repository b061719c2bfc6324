// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.abi.ucx.ucp_am_handler_param;
import dev.jurom.abi.ucx.ucx_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The handlers of one worker for active messages. */
final class Messages {

    private final UcxWorker worker;
    private final Slots<ActiveMessageHandler> handlers = new Slots<>();
    private final ActiveMessage message;

    Messages(UcxWorker worker) {
        this.worker = worker;
        this.message = new ActiveMessage(worker);
    }

    void handle(int id, ActiveMessageHandler handler) {
        try (var arena = Arena.ofConfined()) {
            var parameters = ucp_am_handler_param.allocate(arena);
            ucp_am_handler_param.field_mask(parameters, ucx_h.UCP_AM_HANDLER_PARAM_FIELD_ID()
                    | ucx_h.UCP_AM_HANDLER_PARAM_FIELD_CB()
                    | ucx_h.UCP_AM_HANDLER_PARAM_FIELD_ARG()
                    | ucx_h.UCP_AM_HANDLER_PARAM_FIELD_FLAGS());
            ucp_am_handler_param.id(parameters, id);
            ucp_am_handler_param.flags(parameters, ucx_h.UCP_AM_FLAG_WHOLE_MSG());
            ucp_am_handler_param.cb(parameters, Upcalls.MESSAGE);
            ucp_am_handler_param.arg(parameters,
                    Upcalls.argument(worker.number(), handlers.add(handler)));
            UcxStatus.require("The handler of active message " + id + " could not be set",
                    ucx_h.ucp_worker_set_am_recv_handler(worker.handle(), parameters));
        }
    }

    /** Called by UCX; the answer says whether UCX keeps the message's descriptor. */
    int arrived(int number, MemorySegment header, long headerLength, MemorySegment data,
            long length, MemorySegment parameters) {
        message.set(header, headerLength, data, length, parameters);
        try {
            handlers.get(number).received(message);
        } catch (RuntimeException | Error failure) {
            worker.keep(failure);
        } finally {
            message.clear();
        }
        return message.isFetching() ? UcxStatus.IN_PROGRESS : UcxStatus.OK;
    }
}
