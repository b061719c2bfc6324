// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds worker processes on this machine by a variable in their environment, since the interface
 * of DOCA does not provide process ids.
 */
final class WorkerProcessSearch {

    private WorkerProcessSearch() {}

    /**
     * Returns the id of the process that has the variable; "elsewhere" if it is not on this
     * machine.
     */
    static String find(String variable, String value) {
        return having(variable, value).findFirst().map(String::valueOf).orElse("elsewhere");
    }

    /** Returns the ids of all processes on this machine that have the variable. */
    static List<Long> findAll(String variable, String value) {
        return having(variable, value).toList();
    }

    private static Stream<Long> having(String variable, String value) {
        var entry = "\0" + variable + "=" + value + "\0";
        return ProcessHandle.allProcesses()
                .filter(process -> environment(process).contains(entry))
                .map(ProcessHandle::pid);
    }

    private static String environment(ProcessHandle process) {
        try {
            var file = Path.of("/proc", Long.toString(process.pid()), "environ");
            return "\0" + new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // the process has ended or belongs to another user
        }
    }
}
