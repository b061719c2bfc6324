// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.abi.ucx.ucp_am_handler_param;
import dev.jurom.abi.ucx.ucx_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The handlers of one worker for active messages. */
final class MessageHandlers {

    /** Ids have 16 bits on the wire. */
    private static final int HIGHEST_ID = 0xFFFF;

    private final UcxWorker worker;
    private final CallbackTable<ActiveMessageHandler> handlers = new CallbackTable<>();
    private final ActiveMessage message;

    MessageHandlers(UcxWorker worker) {
        this.worker = worker;
        this.message = new ActiveMessage(worker);
    }

    /**
     * Drops messages of ids without a handler. UCX 1.13 looks up an id in a table without comparing
     * it with the length of the table, and does not clear elements that it adds to the table, so a
     * peer could crash this process with a wrong id. Therefore every id that fits in a message gets
     * a handler.
     */
    void dropUnknown() {
        try (var arena = Arena.ofConfined()) {
            var parameters = parameters(arena, message -> {});
            for (var id = HIGHEST_ID; id >= 0; id--) {
                set(id, parameters);
            }
        }
    }

    void handle(int id, ActiveMessageHandler handler) {
        try (var arena = Arena.ofConfined()) {
            set(id, parameters(arena, handler));
        }
    }

    private MemorySegment parameters(Arena arena, ActiveMessageHandler handler) {
        var parameters = ucp_am_handler_param.allocate(arena);
        ucp_am_handler_param.field_mask(
                parameters,
                ucx_h.UCP_AM_HANDLER_PARAM_FIELD_ID()
                        | ucx_h.UCP_AM_HANDLER_PARAM_FIELD_CB()
                        | ucx_h.UCP_AM_HANDLER_PARAM_FIELD_ARG()
                        | ucx_h.UCP_AM_HANDLER_PARAM_FIELD_FLAGS());
        ucp_am_handler_param.flags(parameters, ucx_h.UCP_AM_FLAG_WHOLE_MSG());
        ucp_am_handler_param.cb(parameters, Upcalls.MESSAGE);
        ucp_am_handler_param.arg(parameters, Upcalls.argument(worker.number(), handlers.add(handler)));
        return parameters;
    }

    private void set(int id, MemorySegment parameters) {
        ucp_am_handler_param.id(parameters, id);
        UcxStatus.require(
                "Setting the handler of active message " + id + " failed",
                ucx_h.ucp_worker_set_am_recv_handler(worker.handle(), parameters));
    }

    /** Called by UCX; the result states whether UCX keeps the descriptor of the message. */
    int arrived(
            int number,
            MemorySegment header,
            long headerLength,
            MemorySegment data,
            long length,
            MemorySegment parameters) {
        message.set(header, headerLength, data, length, parameters);
        try {
            handlers.get(number).received(message);
        } catch (RuntimeException | Error failure) {
            worker.addFailure(failure);
        } finally {
            message.clear();
        }
        return message.isFetching() ? UcxStatus.IN_PROGRESS : UcxStatus.OK;
    }
}
