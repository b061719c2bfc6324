// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Kills or suspends the process of a worker, identified by an environment variable. */
final class WorkerProcess {

    static final String VARIABLE = "JUROM_MODEL";

    private WorkerProcess() {}

    /** Returns variables that mark a process, and suppress its log lines about aborting hosts. */
    static Map<String, String> environment(long mark) {
        return Map.of(VARIABLE, Long.toString(mark), "UROM_WORKER_LOG_LEVEL", "30");
    }

    /** Kills the process, and any exiting one with the same variable. */
    static void kill(long mark) {
        var found = find(mark);
        assertFalse(found.isEmpty(), "no worker process with mark " + mark);
        found.forEach(ProcessHandle::destroyForcibly);
    }

    /** Suspends the process, so that it does not answer. */
    static void suspend(long mark) {
        var found = find(mark);
        assertFalse(found.isEmpty(), "no worker process with mark " + mark);
        found.forEach(process -> signal("STOP", process));
    }

    /** Resumes a suspended process, if it still exists. */
    static void resume(long mark) {
        find(mark).forEach(process -> signal("CONT", process));
    }

    private static void signal(String name, ProcessHandle process) {
        Command.execute(List.of("kill", "-" + name, Long.toString(process.pid())));
    }

    /** Returns the processes with the mark, including exiting ones. */
    static List<ProcessHandle> find(long mark) {
        var entry = VARIABLE + "=" + mark + "\0";
        return workerProcesses().stream()
                .filter(process -> environment(process).contains(entry))
                .toList();
    }

    private static String environment(ProcessHandle process) {
        try {
            return Files.readString(
                    Path.of("/proc", Long.toString(process.pid()), "environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // it has just ended
        }
    }
}
