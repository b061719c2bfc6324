// SPDX-License-Identifier: Apache-2.0
package dev.jurom.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A process as the kernel knows it. Ids are used again, but never by a process that started at the
 * same time.
 *
 * @param id its id
 * @param start when it started, in clock ticks after boot; above 0
 * @param userId its effective user
 */
public record RunningProcess(long id, long start, int userId) {

    private static final int START = 19; // field of /proc/PID/stat, counted from the state
    private static final String USERS = "Uid:\t"; // real, effective, saved, of files

    /**
     * Finds a process.
     *
     * @param id of the process
     * @return what the kernel tells; empty if it does not exist or has ended
     */
    public static Optional<RunningProcess> of(long id) {
        var directory = Path.of("/proc", Long.toString(id));
        try {
            var stat = Files.readString(directory.resolve("stat"), StandardCharsets.ISO_8859_1);
            // Its name may have any characters.
            var fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
            return fields[0].equals("Z") || fields[0].equals("X")
                    ? Optional.empty()
                    : Optional.of(new RunningProcess(id, Long.parseLong(fields[START]), userId(directory)));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns when a process started.
     *
     * @param id of the process
     * @return clock ticks after boot; 0 if it does not exist or has ended
     */
    public static long startOf(long id) {
        return of(id).map(RunningProcess::start).orElse(0L);
    }

    /** Not the owner of the directory, which is root where the process must not be dumped. */
    private static int userId(Path directory) throws IOException {
        return Files.readAllLines(directory.resolve("status"), StandardCharsets.ISO_8859_1).stream()
                .filter(line -> line.startsWith(USERS))
                .mapToInt(line -> Integer.parseUnsignedInt(line.split("\t")[2]))
                .findFirst()
                .orElseThrow();
    }
}
