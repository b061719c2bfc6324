// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

import dev.jurom.core.DocaError;
import dev.jurom.plugin.CodecException;
import dev.jurom.ucx.ActiveMessage;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;

/** The flushes of a peer that the worker has not answered, by id. Confined to the peer's thread. */
final class PendingFlushes {

    private static final long FAILURES_SIZE = 16; // the data of a response: count, status, reserved

    private static final System.Logger LOGGER = System.getLogger("dev.jurom.plugin");

    private final SendBuffers buffers;
    private final Map<Long, RdmoFlush> pending = new HashMap<>();
    private long last;

    /** Creates an empty set, which receives the data of answers into the given buffers. */
    PendingFlushes(SendBuffers buffers) {
        this.buffers = buffers;
    }

    /** Adds a flush. Returns its id. */
    long add(RdmoFlush flush) {
        pending.put(++last, flush);
        return last;
    }

    /** Removes a flush, whose answer will be ignored. */
    void remove(RdmoFlush flush) {
        pending.values().remove(flush);
    }

    /** Handles a response, in a callback of UCX. Ignores a malformed one. */
    void answered(ActiveMessage message) {
        try {
            var flush = pending.remove(
                    RdmoRequestCodec.FLUSHED.unpack(message.header()).flushId());
            if (flush != null) {
                answered(flush, message);
            }
        } catch (CodecException e) {
            LOGGER.log(System.Logger.Level.WARNING, "A malformed response of a worker is ignored", e);
        }
    }

    private void answered(RdmoFlush flush, ActiveMessage message) {
        if (message.length() != FAILURES_SIZE) {
            flush.answered(0, DocaError.SUCCESS);
            return;
        }
        var buffer = buffers.take(FAILURES_SIZE);
        message.receive(buffer.data()).whenDone(status -> {
            flush.answered(
                    buffer.data().get(ValueLayout.JAVA_LONG, 0),
                    DocaError.of(buffer.data().get(ValueLayout.JAVA_INT, Long.BYTES)));
            buffers.give(buffer);
        });
    }
}
