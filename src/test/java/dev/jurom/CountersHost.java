// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;

import dev.jurom.plugin.graph.GraphPlugin;

/** A host of the service named by the environment, which submits commands until it is killed. */
final class CountersHost {

    private CountersHost() {}

    public static void main(String[] arguments) throws Exception {
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            for (var i = 0L; ; i++) {
                worker.call(LOOPBACK, i);
            }
        }
    }
}
