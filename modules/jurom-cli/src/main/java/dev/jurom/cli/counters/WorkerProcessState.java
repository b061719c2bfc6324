// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.counters;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The state of a worker's process, as reported by the kernel.
 *
 * @param state the scheduling state in a word
 * @param cpuNanos used CPU time in nanoseconds, in steps of 10 ms
 * @param residentBytes resident memory in bytes
 * @param user the name or the id of the effective user
 */
record WorkerProcessState(String state, long cpuNanos, long residentBytes, String user) {

    // Fields of /proc/PID/stat, counted from the state.
    private static final int USER_TIME = 11;
    private static final int SYSTEM_TIME = 12;
    private static final long NANOS_PER_TICK = 10_000_000;
    private static final String MEMORY = "VmRSS:";
    private static final String USERS = "Uid:"; // real, effective, saved, of files
    private static final long KIB = 1024;

    /** Reads the state of a process; empty if the process has ended. */
    static Optional<WorkerProcessState> of(long process) {
        var directory = Path.of("/proc", Long.toString(process));
        try {
            var stat = Files.readString(directory.resolve("stat"), StandardCharsets.ISO_8859_1);
            // The name of the process may contain any characters.
            var fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
            var ticks = Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[SYSTEM_TIME]);
            return Optional.of(new WorkerProcessState(
                    word(fields[0]), ticks * NANOS_PER_TICK, memory(directory), user(directory)));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    private static String word(String letter) {
        return switch (letter) {
            case "R" -> "runs";
            case "S" -> "sleeps";
            case "D" -> "blocked";
            case "T" -> "stopped";
            case "t" -> "traced";
            case "Z", "X" -> "ended";
            default -> letter;
        };
    }

    private static Stream<String> status(Path directory, String name) throws IOException {
        return Files.readAllLines(directory.resolve("status"), StandardCharsets.ISO_8859_1).stream()
                .filter(line -> line.startsWith(name));
    }

    private static long memory(Path directory) throws IOException {
        return status(directory, MEMORY)
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * KIB)
                .findFirst()
                .orElse(0);
    }

    /**
     * Java resolves only the names of file owners; root owns the directory of a process that is not
     * dumpable.
     */
    private static String user(Path directory) throws IOException {
        var id = status(directory, USERS)
                .map(line -> line.split("\t")[2])
                .findFirst()
                .orElseThrow();
        var owner = Files.getAttribute(directory, "unix:uid");
        return owner.equals(Integer.parseUnsignedInt(id))
                ? Files.getOwner(directory).getName()
                : id;
    }
}
