// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.process;

import dev.jurom.cli.ProcessUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;

/**
 * Resource usage of processes at one time, as counted by Linux.
 *
 * @param processes the number of processes
 * @param cpuNanos CPU time in nanoseconds
 * @param residentBytes resident memory in bytes
 * @param descriptors the number of open file descriptors
 * @param threads the number of threads
 */
public record ProcessFigures(int processes, long cpuNanos, long residentBytes, long descriptors, long threads) {

    private static final ProcessFigures NONE = new ProcessFigures(0, 0, 0, 0, 0);

    /** Returns the usage of one process, or zeros if it has exited. */
    public static ProcessFigures of(long process) {
        var directory = Path.of("/proc", Long.toString(process));
        try {
            var usage = ProcessUsage.of(process);
            return new ProcessFigures(
                    1,
                    usage.cpuNanos(),
                    usage.residentBytes(),
                    count(directory.resolve("fd")),
                    count(directory.resolve("task")));
        } catch (IOException e) {
            return NONE; // it has just exited
        }
    }

    /** Returns the total usage of several processes. */
    public static ProcessFigures of(LongStream processes) {
        return processes.mapToObj(ProcessFigures::of).reduce(NONE, ProcessFigures::plus);
    }

    private ProcessFigures plus(ProcessFigures other) {
        return new ProcessFigures(
                processes + other.processes,
                cpuNanos + other.cpuNanos,
                residentBytes + other.residentBytes,
                descriptors + other.descriptors,
                threads + other.threads);
    }

    private static long count(Path directory) throws IOException {
        try (var entries = Files.list(directory)) {
            return entries.count();
        }
    }
}
