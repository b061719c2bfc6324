// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;

import dev.jurom.fixture.Command;
import dev.jurom.plugin.graph.GraphPlugin;
import java.time.Duration;
import java.util.ArrayList;

/**
 * Virtual threads that wait for an unresponsive worker on a single carrier thread. A wait in native code
 * would block the other virtual threads.
 */
public final class OneCarrierProgram {

    private static final int THREADS = 8;
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private OneCarrierProgram() {}

    /** Prints "free" if other virtual threads run meanwhile. */
    public static void main(String[] arguments) throws InterruptedException {
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.builder(GraphPlugin.NAME)
                        .tasks(THREADS / 2)
                        .build())) {
            var process = Long.toString(workerProcesses().getFirst().pid());
            Command.run("kill", "-STOP", process);
            var waiting = new ArrayList<Thread>();
            for (var i = 0; i < THREADS; i++) {
                waiting.add(Thread.ofVirtual().start(() -> call(worker)));
            }
            for (var thread : waiting) {
                while (thread.getState() == Thread.State.NEW || thread.getState() == Thread.State.RUNNABLE) {
                    Thread.onSpinWait();
                }
            }
            var free = Thread.ofVirtual().start(() -> {}).join(DEADLINE);
            Command.run("kill", "-CONT", process);
            for (var thread : waiting) {
                free &= thread.join(DEADLINE);
            }
            System.out.println(free ? "free" : "the carrier is pinned");
        }
    }

    private static void call(Worker worker) {
        try {
            worker.call(LOOPBACK, 1L);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
