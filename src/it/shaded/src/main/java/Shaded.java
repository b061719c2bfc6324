// SPDX-License-Identifier: Apache-2.0
import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.plugin.graph.GraphPlugin;

public class Shaded {

    public static void main(String[] arguments) throws InterruptedException {
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            System.out.println(worker.call(GraphPlugin.LOOPBACK, 42L));
        }
    }
}
