// SPDX-License-Identifier: Apache-2.0
package dev.jurom.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** When processes began: ids are used again, but not by one that began at the same time. */
public final class ProcessTimes {

    private static final int START = 19; // field of /proc/PID/stat, counted from the state

    private ProcessTimes() {
    }

    /**
     * Returns when a process began.
     *
     * @param processId its id
     * @return in clock ticks after boot; 0 if there is no such process, or it has ended
     */
    public static long start(long processId) {
        try {
            var stat = Files.readString(Path.of("/proc", Long.toString(processId), "stat"),
                    StandardCharsets.ISO_8859_1);
            // Its name may have any characters.
            var fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
            return fields[0].equals("Z") || fields[0].equals("X") ? 0
                    : Long.parseLong(fields[START]);
        } catch (IOException | RuntimeException e) {
            return 0;
        }
    }
}
