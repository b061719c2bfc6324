// SPDX-License-Identifier: Apache-2.0
package dev.jurom.hostile;

import dev.jurom.fixture.ServiceFixture;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.urom.CommandTask;

/**
 * Measures the allocation of a command on the Java heap. Run it with the Epsilon collector.
 */
public final class AllocationProgram {

    private static final int COMMANDS = Integer.getInteger("commands", 1_000_000);
    private static final int WARM_UP = COMMANDS / 2;

    private AllocationProgram() {}

    /** Prints the bytes allocated by many commands. */
    public static void main(String[] arguments) {
        try (var fixture = ServiceFixture.open();
                var worker = fixture.startWorker();
                var task = worker.commandTask(fixture.graph())) {
            task.onCompletion(AllocationProgram::check);
            run(task, WARM_UP);
            AllocationCount.print(COMMANDS, count -> run(task, count));
        }
    }

    private static void run(CommandTask task, int count) {
        var engine = task.worker().engine();
        for (var i = 0; i < count; i++) {
            task.setPayloadLength(GraphCodec.packLoopback(i, task.payload()));
            task.submit();
            while (!task.isCompleted()) {
                engine.progress();
            }
        }
    }

    private static void check(CommandTask task) {
        task.requireSuccess();
        if (GraphCodec.loopbackData(task.response()) < 0) {
            throw new AssertionError("wrong answer");
        }
    }
}
