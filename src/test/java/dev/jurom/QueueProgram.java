// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;

import dev.jurom.fixture.Command;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.urom.UromService;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;

/** Queues short commands for a worker whose messages may be as large as the heap. */
public final class QueueProgram {

    private static final int COMMANDS = 100;

    private QueueProgram() {}

    /** Prints "answered" if the heap suffices for the commands. */
    public static void main(String[] arguments) throws Exception {
        try (var urom = Urom.open(UromConfiguration.builder()
                        .maxMessageSize(UromService.MAX_MESSAGE_SIZE)
                        .build());
                var worker = urom.startWorker(
                        WorkerConfiguration.builder(GraphPlugin.NAME).tasks(1).build())) {
            var process = Long.toString(workerProcesses().getFirst().pid());
            var answers = new ArrayList<CompletableFuture<Long>>();
            Command.run("kill", "-STOP", process);
            try {
                for (var i = 0L; i < COMMANDS; i++) {
                    answers.add(worker.submit(LOOPBACK, i));
                }
            } finally {
                Command.run("kill", "-CONT", process);
            }
            for (var i = 0; i < COMMANDS; i++) {
                if (answers.get(i).get() != i) {
                    throw new AssertionError("another answer");
                }
            }
            System.out.println("answered");
        }
    }
}
