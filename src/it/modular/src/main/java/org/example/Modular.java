// SPDX-License-Identifier: Apache-2.0
package org.example;

import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.service.EmbeddedService;

/** Uses a plugin of jurom, and one in Java that it registers by its class. */
public class Modular {

    public static void main(String[] arguments) throws InterruptedException {
        try (var service = EmbeddedService.open(
                        usual -> usual.toBuilder().plugin(Successor.class).build());
                var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME, Successor.NEXT.plugin()))) {
            var answer = worker.call(GraphPlugin.LOOPBACK, 41L);
            System.out.println(
                    worker.call(Successor.NEXT, new Successor.Number(answer)).value());
        }
    }
}
