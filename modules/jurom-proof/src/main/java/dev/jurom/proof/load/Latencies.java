// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import dev.jurom.Urom;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.plugin.graph.GraphPlugin;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * How long a legitimate host waits: for a command to its worker and back, and for a connection to a
 * running worker by way of the service, to its end.
 *
 * @param commands round trips in nanoseconds
 * @param connections openings in nanoseconds
 */
record Latencies(Histogram commands, Histogram connections) {

    private static final int COMMANDS_BETWEEN = 20; // two connections
    private static final long PAUSE_NANOS = 2_000_000; // before a command: both sides go to sleep
    private static final int DIGITS = 3;

    /**
     * Measures for a time, one operation after the other, with a pause before each command: what
     * two sides take that spin is a matter of who else wants the cores.
     *
     * @param worker is given the commands
     * @param other is connected to
     */
    static Latencies of(Urom urom, Worker worker, Worker other, Duration time) throws InterruptedException {
        var result = new Latencies(new Histogram(DIGITS), new Histogram(DIGITS));
        var connection = WorkerConfiguration.builder(GraphPlugin.NAME)
                .tasks(1)
                .id(other.id())
                .build();
        var end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            for (var i = 0L; i < COMMANDS_BETWEEN; i++) {
                LockSupport.parkNanos(PAUSE_NANOS);
                var begin = System.nanoTime();
                var answer = worker.call(GraphPlugin.LOOPBACK, i);
                result.commands.recordValue(System.nanoTime() - begin);
                if (answer != i) {
                    throw new IllegalStateException("A worker answered " + answer + " to " + i);
                }
            }
            var begin = System.nanoTime();
            try (var opened = urom.startWorker(connection)) {
                result.connections.recordValue(System.nanoTime() - begin);
            }
        }
        return result;
    }
}
