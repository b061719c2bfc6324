// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForEveryRuntime;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.plugin.graph.GraphPlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests the cost of commands that wait for a slot. */
@ForEveryRuntime
class QueuedCommandsTest {

    private static final int QUEUED = 100_000;
    private static final int LATE = 50_000; // behind them
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration DELAY = Duration.ofSeconds(5); // minutes if each deadline visits the others

    @Test
    void deadlines_of_many_commands_pass_at_once_and_delay_no_other_worker() throws Exception {
        try (var urom = Urom.open();
                var suspended = urom.startWorker(
                        WorkerConfiguration.builder(GraphPlugin.NAME).tasks(1).build())) {
            var process = Long.toString(workerProcesses().getFirst().pid());
            try (var other = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
                Command.run("kill", "-STOP", process);
                for (var i = 0; i < QUEUED; i++) {
                    suspended.submit(LOOPBACK, 1L, CallOptions.DEFAULT.withTimeout(LONG));
                }
                var late = new ArrayList<CompletableFuture<Long>>();
                for (var i = 0; i < LATE; i++) {
                    late.add(suspended.submit(LOOPBACK, 1L, CallOptions.DEFAULT.withTimeout(SHORT)));
                }

                assertTimeout(SHORT.plus(DELAY), () -> {
                    while (!late.getLast().isDone()) {
                        assertEquals(1, other.call(LOOPBACK, 1L, CallOptions.DEFAULT.withTimeout(DELAY)));
                    }
                });
            } finally {
                Command.run("kill", "-CONT", process);
            }
        }
    }

    @Test
    void a_queued_command_allocates_its_own_size_only() {
        var result = ForkedJvm.run(QueueProgram.class, "-Xmx64m");

        assertEquals("answered\n", result.output());
        assertEquals(0, result.exitCode());
    }
}
