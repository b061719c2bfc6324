// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

import static dev.jurom.testing.ServiceFixture.workerProcesses;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Kills a worker's process, found by a variable that the worker was given. */
final class WorkerProcess {

    static final String VARIABLE = "JUROM_MODEL";

    private WorkerProcess() {
    }

    /** Kills the process; and one that had the variable before, if it is just about to leave. */
    static void kill(long mark) {
        var found = find(mark);
        assertFalse(found.isEmpty(), "no worker process has the variable " + mark);
        found.forEach(ProcessHandle::destroyForcibly);
    }

    /** The processes that have the variable, also one that is just about to leave. */
    static List<ProcessHandle> find(long mark) {
        var entry = VARIABLE + "=" + mark + "\0";
        return workerProcesses().stream()
                .filter(process -> environment(process).contains(entry))
                .toList();
    }

    private static String environment(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "environ"),
                    StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // it has just ended
        }
    }
}
