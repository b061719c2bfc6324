// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.counters;

import dev.jurom.service.counters.Counter;
import dev.jurom.service.counters.CounterFile;
import java.util.Optional;

/**
 * The activity of a worker between two samples.
 *
 * @param worker its id
 * @param state the state of its process
 * @param process the id of its process
 * @param user the user of its process
 * @param cpuPercent CPU usage in percent of one core
 * @param memoryBytes resident memory in bytes
 * @param commandsPerSecond answered commands per second
 * @param inFlight commands that it has not answered yet
 * @param waiting commands in flight that its plugins have deferred
 * @param refused total of commands that it has refused
 * @param errors total of answers with an error
 * @param p50Nanos median time of commands timed between the samples, in nanoseconds
 * @param p99Nanos 99th percentile of their times, in nanoseconds
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
     * A sample of a worker.
     *
     * @param file its counters
     * @param process the state of its process
     * @param nanos time of the sample, by {@link System#nanoTime}
     */
    record Sample(CounterFile file, WorkerProcessState process, long nanos) {

        /** Samples a worker; empty if the worker has ended. */
        static Optional<Sample> at(CounterFile file) {
            return WorkerProcessState.of(file.process()).map(process -> new Sample(file, process, System.nanoTime()));
        }
    }

    /** Returns the activity between two samples. For a new worker, both are the same sample. */
    static WorkerRow between(Sample before, Sample now) {
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
