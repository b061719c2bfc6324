// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A process as the kernel reports it. Ids are reused, but never by a process with the same start
 * time.
 *
 * @param id the process id
 * @param start the start time in clock ticks after boot, at least 1
 * @param userId the effective user id
 */
public record RunningProcess(long id, long start, int userId) {

    private static final int START = 19; // field of /proc/PID/stat, counted from the state
    private static final String USERS = "Uid:\t"; // real, effective, saved, of files

    /**
     * Finds a process.
     *
     * @param id the process id
     * @return the process; empty if it does not exist or has ended
     */
    public static Optional<RunningProcess> of(long id) {
        var directory = Path.of("/proc", Long.toString(id));
        try {
            var stat = Files.readString(directory.resolve("stat"), StandardCharsets.ISO_8859_1);
            // The name in parentheses may contain any characters.
            var fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
            return fields[0].equals("Z") || fields[0].equals("X")
                    ? Optional.empty()
                    : Optional.of(new RunningProcess(id, Long.parseLong(fields[START]), userId(directory)));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns the start time of a process.
     *
     * @param id the process id
     * @return the time in clock ticks after boot; 0 if the process does not exist or has ended
     */
    public static long startOf(long id) {
        return of(id).map(RunningProcess::start).orElse(0L);
    }

    /**
     * Returns the effective user. The owner of the directory would be root for a process that must
     * not be dumped.
     */
    private static int userId(Path directory) throws IOException {
        return Files.readAllLines(directory.resolve("status"), StandardCharsets.ISO_8859_1).stream()
                .filter(line -> line.startsWith(USERS))
                .mapToInt(line -> Integer.parseUnsignedInt(line.split("\t")[2]))
                .findFirst()
                .orElseThrow();
    }
}
