// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a process has used so far, as Linux counts it.
 *
 * @param cpuNanos CPU time of all its threads in nanoseconds
 * @param residentBytes resident memory in bytes
 * @param proportionalBytes the same, of each page only the process's share (PSS)
 */
public record ProcessUsage(long cpuNanos, long residentBytes, long proportionalBytes) {

    private static final long KIB = 1024;

    /**
     * Reads the usage of a process of this user.
     *
     * @throws IOException if there is no such process, or it may not be looked at
     */
    public static ProcessUsage of(long pid) throws IOException {
        return new ProcessUsage(cpuNanos(directory(pid)), residentBytes(pid), rollup(pid, "Pss:"));
    }

    private static Path directory(long pid) {
        return Path.of("/proc", Long.toString(pid));
    }

    /** From schedstat: the counters in stat have steps of 10 ms. */
    private static long cpuNanos(Path process) throws IOException {
        var sum = 0L;
        try (var threads = Files.newDirectoryStream(process.resolve("task"))) {
            for (var thread : threads) {
                var words = Files.readString(thread.resolve("schedstat")).split(" ");
                sum += Long.parseLong(words[0]);
            }
        }
        return sum;
    }

    /**
     * Resident memory of a process of this user in bytes. From smaps_rollup: the figure in status lags
     * behind.
     *
     * @throws IOException if there is no such process, or it may not be looked at
     */
    public static long residentBytes(long pid) throws IOException {
        return rollup(pid, "Rss:");
    }

    private static long rollup(long pid, String name) throws IOException {
        return Files.readAllLines(directory(pid).resolve("smaps_rollup")).stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * KIB)
                .findFirst()
                .orElse(0);
    }
}
