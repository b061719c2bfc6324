// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Resource usage of a process, as counted by Linux.
 *
 * @param cpuNanos CPU time of all its threads in nanoseconds
 * @param residentBytes resident memory in bytes
 * @param proportionalBytes proportional set size (PSS) in bytes: each shared page counts in
 * proportion
 */
public record ProcessUsage(long cpuNanos, long residentBytes, long proportionalBytes) {

    private static final long KIB = 1024;

    /**
     * Reads the usage of a process of this user.
     *
     * @param pid the id of the process
     * @return the usage until now
     * @throws IOException if the process does not exist or this user may not read its usage
     */
    public static ProcessUsage of(long pid) throws IOException {
        return new ProcessUsage(cpuNanos(directory(pid)), residentBytes(pid), rollup(pid, "Pss:"));
    }

    private static Path directory(long pid) {
        return Path.of("/proc", Long.toString(pid));
    }

    /** Reads schedstat, since the counters in stat have steps of 10 ms. */
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
     * Returns the resident memory of a process of this user in bytes. Reads smaps_rollup, since
     * the value in status lags behind.
     *
     * @param pid the id of the process
     * @return the number of bytes
     * @throws IOException if the process does not exist or this user may not read its usage
     */
    static long residentBytes(long pid) throws IOException {
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
