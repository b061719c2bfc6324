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
 * Latencies of a legitimate host: of commands to its worker, and of connections to a running worker through
 * the service.
 *
 * @param commands round trips of commands in nanoseconds
 * @param connections times to connect in nanoseconds
 */
record Latencies(Histogram commands, Histogram connections) {

    private static final int COMMANDS_PER_CONNECTION = 20;
    private static final long PAUSE_NANOS = 2_000_000; // before a command, so that both sides sleep
    private static final int DIGITS = 3;

    /**
     * Measures for a time, one operation after the other. The pause before each command makes both sides
     * sleep: the latency of two spinning sides would depend mostly on the competition for cores.
     *
     * @param worker the worker that receives the commands
     * @param other the worker to connect to
     */
    static Latencies of(Urom urom, Worker worker, Worker other, Duration time) throws InterruptedException {
        var result = new Latencies(new Histogram(DIGITS), new Histogram(DIGITS));
        var connection = WorkerConfiguration.builder(GraphPlugin.NAME)
                .tasks(1)
                .id(other.id())
                .build();
        var end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            for (var i = 0L; i < COMMANDS_PER_CONNECTION; i++) {
                LockSupport.parkNanos(PAUSE_NANOS);
                var begin = System.nanoTime();
                var answer = worker.call(GraphPlugin.LOOPBACK, i);
                result.commands.recordValue(System.nanoTime() - begin);
                if (answer != i) {
                    throw new IllegalStateException("a worker answered " + answer + " instead of " + i);
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
