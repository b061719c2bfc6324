// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.counters;

import dev.jurom.counters.Counter;
import dev.jurom.counters.CounterFile;
import java.util.Optional;

/**
 * A worker over the time between two looks.
 *
 * @param worker its id
 * @param state what its process does
 * @param process the id of its process
 * @param user whom it runs as
 * @param cpuPercent of one core
 * @param memoryBytes in RAM
 * @param commandsPerSecond that it has answered
 * @param inFlight commands that it has not answered, now
 * @param waiting of those, how many its plugins have left for later
 * @param refused commands that it has refused, in all
 * @param errors answers that were errors, in all
 * @param p50Nanos how long half of the commands took at most that were timed meanwhile
 * @param p99Nanos how long 99 of 100 took at most
 */
record WorkerRow(
        String worker,
        String state,
        long process,
        String user,
        double cpuPercent,
        long memoryBytes,
        double commandsPerSecond,
        long inFlight,
        long waiting,
        long refused,
        long errors,
        Optional<Long> p50Nanos,
        Optional<Long> p99Nanos) {

    private static final double MEDIAN = 50;
    private static final double NEARLY_ALL = 99;
    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * A worker at one time.
     *
     * @param file what it has counted
     * @param process what the kernel shows of it
     * @param nanos when, by {@link System#nanoTime}
     */
    record Look(CounterFile file, WorkerProcessState process, long nanos) {

        /** Looks at a worker; nothing if it has ended. */
        static Optional<Look> at(CounterFile file) {
            return WorkerProcessState.of(file.process()).map(process -> new Look(file, process, System.nanoTime()));
        }
    }

    /** What has changed since. A worker that is new has done nothing before. */
    static WorkerRow between(Look before, Look now) {
        var seconds = Math.max(1, now.nanos - before.nanos) / NANOS_PER_SECOND;
        var times = now.file.latency().since(before.file.latency());
        return new WorkerRow(
                Long.toUnsignedString(now.file.number()),
                now.process.state(),
                now.file.process(),
                now.process.user(),
                100 * Math.max(0, now.process.cpuNanos() - before.process.cpuNanos()) / NANOS_PER_SECOND / seconds,
                now.process.residentBytes(),
                (now.file.value(Counter.WORKER_ANSWERS) - before.file.value(Counter.WORKER_ANSWERS)) / seconds,
                now.file.inFlight(),
                now.file.value(Counter.WORKER_WAITING),
                now.file.value(Counter.WORKER_REFUSED),
                now.file.value(Counter.WORKER_ERRORS),
                StatCommand.time(times, MEDIAN),
                StatCommand.time(times, NEARLY_ALL));
    }
}
