// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The kernel's state of a child of this process, before the child is reaped. */
final class ProcessState {

    private static final int FLAGS = 6; // index of the flags in /proc/PID/stat, counted from the state
    private static final long EXITING = 4; // PF_EXITING of the kernel, set before the process closes its files

    private ProcessState() {}

    /** Returns whether a process is exiting, dead or absent. */
    static boolean isEnding(long processId) {
        try {
            return isEnding(
                    Files.readString(Path.of("/proc", Long.toString(processId), "stat"), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return true;
        }
    }

    /** Parses the fields after the process name, which is in parentheses and may contain any bytes. */
    static boolean isEnding(String stat) {
        var fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
        return fields[0].equals("Z")
                || fields[0].equals("X")
                || fields.length > FLAGS && (Long.parseLong(fields[FLAGS]) & EXITING) != 0;
    }
}
