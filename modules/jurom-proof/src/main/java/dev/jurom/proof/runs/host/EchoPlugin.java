// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.proof.runs.plan.WorkerPlan;
import dev.jurom.worker.Command;
import dev.jurom.worker.Responder;
import dev.jurom.worker.WorkerPlugin;
import java.lang.foreign.MemorySegment;

/** A plugin in Java that returns commands unchanged, as the loopback of the graph plugin does. */
public final class EchoPlugin implements WorkerPlugin {

    /** The version of the plugin. */
    static final long VERSION = 1;

    @Override
    public String name() {
        return WorkerPlan.JAVA_PLUGIN;
    }

    @Override
    public long version() {
        return VERSION;
    }

    @Override
    public void command(Command command, Responder responder) {
        var length = command.payload().byteSize();
        MemorySegment.copy(command.payload(), 0, responder.room(), 0, length);
        responder.reply(length);
    }
}
