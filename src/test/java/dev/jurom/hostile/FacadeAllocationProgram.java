// SPDX-License-Identifier: Apache-2.0
package dev.jurom.hostile;

import dev.jurom.IdleStrategy;
import dev.jurom.Urom;
import dev.jurom.UromConfiguration;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;

/** Measures the allocation of a command through the facade; see {@link AllocationProgram}. */
public final class FacadeAllocationProgram {

    private static final int COMMANDS = Integer.getInteger("commands", 1_000_000);
    private static final int WARM_UP = COMMANDS / 2;

    /** Packs and unpacks without allocation. */
    private static final Offload<Object, Object> LOOPBACK = Offload.of(
            GraphPlugin.NAME,
            GraphPlugin.VERSION,
            (command, payload) -> GraphCodec.packLoopback(7, payload),
            response -> GraphCodec.loopbackData(response) == 7 ? Boolean.TRUE : Boolean.FALSE);

    private FacadeAllocationProgram() {}

    /** Prints the bytes allocated by many commands. */
    public static void main(String[] arguments) throws InterruptedException {
        var strategy = IdleStrategy.valueOf(System.getProperty("strategy", "SPIN_THEN_WAIT"));
        try (var urom = Urom.open(
                        UromConfiguration.builder().idleStrategy(strategy).build());
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            run(worker, WARM_UP);
            AllocationCount.print(COMMANDS, count -> run(worker, count));
        }
    }

    private static void run(Worker worker, int count) {
        for (var i = 0; i < count; i++) {
            try {
                if (worker.call(LOOPBACK, Boolean.TRUE) != Boolean.TRUE) {
                    throw new AssertionError("wrong answer");
                }
            } catch (InterruptedException e) {
                throw new AssertionError("interrupted unexpectedly", e);
            }
        }
    }
}
