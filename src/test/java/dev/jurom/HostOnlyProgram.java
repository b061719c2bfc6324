// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.plugin.graph.GraphPlugin;

/** Calls a worker and prints its answer. */
public final class HostOnlyProgram {

    private HostOnlyProgram() {}

    /** Runs without arguments. */
    public static void main(String[] arguments) throws InterruptedException {
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            System.out.println(worker.call(GraphPlugin.LOOPBACK, 42L));
        }
    }
}
