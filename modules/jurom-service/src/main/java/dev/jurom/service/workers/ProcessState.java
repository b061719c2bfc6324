// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the kernel shows of a child of this process, before its end is reaped. */
final class ProcessState {

    private static final int FLAGS = 6; // fields of /proc/PID/stat behind the state
    private static final long EXITING = 4; // PF_EXITING of the kernel: set before anything is closed

    private ProcessState() {}

    /** Whether a process is on its way out, or dead; none is as good as dead. */
    static boolean isEnding(long processId) {
        try {
            return isEnding(
                    Files.readString(Path.of("/proc", Long.toString(processId), "stat"), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return true;
        }
    }

    /** The name of a process is in parentheses, and may have any bytes in it. */
    static boolean isEnding(String stat) {
        var fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
        return fields[0].equals("Z")
                || fields[0].equals("X")
                || fields.length > FLAGS && (Long.parseLong(fields[FLAGS]) & EXITING) != 0;
    }
}
