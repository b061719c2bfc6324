// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForEveryRuntime;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.plugin.graph.GraphPlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the cost of commands that wait for a slot. */
@ForEveryRuntime
class QueuedCommandsTest {

    private static final int LATE = 1000; // commands, one a millisecond
    private static final int QUEUED = 50_000;
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final long UNDISTURBED_MILLIS = 200; // on a loaded machine

    @Test
    void submissions_are_not_delayed_by_deadlines_of_many_commands_of_another_worker() throws Exception {
        try (var urom = Urom.open();
                var suspended = urom.startWorker(
                        WorkerConfiguration.builder(GraphPlugin.NAME).tasks(1).build())) {
            var process = Long.toString(workerProcesses().getFirst().pid());
            try (var other = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
                Command.run("kill", "-STOP", process);
                longestMillis(suspended, other); // compiles the methods
                var few = longestMillis(suspended, other);
                for (var i = 0; i < QUEUED; i++) {
                    suspended.submit(LOOPBACK, 1L, CallOptions.DEFAULT.withTimeout(LONG));
                }
                var many = longestMillis(suspended, other);

                assertTrue(
                        many <= Math.max(UNDISTURBED_MILLIS, 5 * few),
                        () -> "a submission took up to " + many + " ms with " + QUEUED + " queued commands, and up to "
                                + few + " ms without them");
            } finally {
                Command.run("kill", "-CONT", process);
            }
        }
    }

    /** Submits commands to a worker while those of another one time out. Returns the longest time until an answer. */
    private static long longestMillis(Worker suspended, Worker other) throws Exception {
        var late = new ArrayList<CompletableFuture<Long>>();
        for (var i = 0; i < LATE; i++) {
            late.add(suspended.submit(LOOPBACK, 1L, CallOptions.DEFAULT.withTimeout(SHORT.plusMillis(i))));
        }
        var longest = 0L;
        while (!late.getLast().isDone()) {
            var begin = System.nanoTime();
            assertEquals(1, other.submit(LOOPBACK, 1L).get());
            longest = Math.max(longest, System.nanoTime() - begin);
        }
        return TimeUnit.NANOSECONDS.toMillis(longest);
    }

    @Test
    void a_queued_command_allocates_its_own_size_only() {
        var result = ForkedJvm.run(QueueProgram.class, "-Xmx64m");

        assertEquals("answered\n", result.output());
        assertEquals(0, result.exitCode());
    }
}
