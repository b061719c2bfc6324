// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import dev.jurom.worker.Command;
import dev.jurom.worker.Responder;
import dev.jurom.worker.WorkerPlugin;
import java.lang.foreign.MemorySegment;

/** Returns the bytes of a command. */
public final class EchoPlugin implements WorkerPlugin {

    /** The name of the plugin. */
    public static final String NAME = "worker_echo";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long version() {
        return 1;
    }

    @Override
    public void command(Command command, Responder responder) {
        var length = command.payload().byteSize();
        MemorySegment.copy(command.payload(), 0, responder.room(), 0, length);
        responder.reply(length);
    }
}
