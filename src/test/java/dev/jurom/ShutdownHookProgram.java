// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.fixture.EmbeddedWorkers;
import dev.jurom.plugin.graph.GraphPlugin;
import java.time.Duration;

/** Uses its worker in a shutdown hook, after SIGTERM was sent to all processes of the program. */
final class ShutdownHookProgram {

    static final int COMMANDS = 100;

    private ShutdownHookProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        var urom = Urom.open();
        var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> use(worker)));
        worker.call(GraphPlugin.LOOPBACK, 0L);
        EmbeddedWorkers.list().forEach(process -> System.out.println("worker " + process.pid()));
        System.out.println("ready");
        Thread.sleep(Duration.ofMinutes(3));
    }

    private static void use(Worker worker) {
        try { // without a close: the end of this process closes the worker
            var sum = 0L;
            for (var i = 0; i < COMMANDS; i++) {
                sum += worker.call(GraphPlugin.LOOPBACK, 1L);
            }
            System.out.println("answered " + sum);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
