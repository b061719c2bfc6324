// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

import dev.jurom.core.DocaError;
import dev.jurom.plugin.CodecException;
import dev.jurom.ucx.ActiveMessage;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;

/** The flushes of a peer that the worker has not answered, by their ids. For the peer's thread. */
final class PendingFlushes {

    private static final long FAILURES_SIZE = 16; // of a response's data: count, status, reserved

    private static final System.Logger LOGGER = System.getLogger("dev.jurom.plugin");

    private final SendBuffers buffers;
    private final Map<Long, RdmoFlush> pending = new HashMap<>();
    private long last;

    /** With room for what answers bring. */
    PendingFlushes(SendBuffers buffers) {
        this.buffers = buffers;
    }

    /** Takes one more; its id. */
    long add(RdmoFlush flush) {
        pending.put(++last, flush);
        return last;
    }

    /** Nobody waits for it any more. */
    void remove(RdmoFlush flush) {
        pending.values().remove(flush);
    }

    /** Runs inside UCX: a response has come. One that is not well-formed is as good as none. */
    void answered(ActiveMessage message) {
        try {
            var flush = pending.remove(
                    RdmoRequestCodec.FLUSHED.unpack(message.header()).flushId());
            if (flush != null) {
                answered(flush, message);
            }
        } catch (CodecException e) {
            LOGGER.log(System.Logger.Level.WARNING, "A worker sent something else than a response", e);
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
