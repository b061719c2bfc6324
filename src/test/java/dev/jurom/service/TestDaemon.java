// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.internal.SoftwareInstallation;
import dev.jurom.testing.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Services for tests, and what they run. */
final class TestDaemon {

    /** Those of a real service, but for the time between a last answer and the end. */
    private static final Deadlines LONG = new Deadlines(Deadlines.DEFAULT.device(),
            Deadlines.DEFAULT.handshake(), Duration.ofMillis(20), Deadlines.DEFAULT.probe(),
            Duration.ofSeconds(60), Deadlines.DEFAULT.leave());

    private TestDaemon() {
    }

    /** Deadlines that are long, but for one. */
    static Deadlines shortHandshake(Duration handshake) {
        return new Deadlines(LONG.device(), handshake, LONG.ending(), LONG.probe(), LONG.start(),
                LONG.leave());
    }

    /** Deadlines that are long, but for one. */
    static Deadlines shortProbe(Duration probe) {
        return new Deadlines(LONG.device(), LONG.handshake(), LONG.ending(), probe,
                LONG.start(), LONG.leave());
    }

    /** Deadlines that are long, but for one. */
    static Deadlines shortStart(Duration start) {
        return new Deadlines(LONG.device(), LONG.handshake(), LONG.ending(), LONG.probe(), start,
                LONG.leave());
    }

    /** Deadlines that are long, but for one. */
    static Deadlines shortLeave(Duration leave) {
        return new Deadlines(LONG.device(), LONG.handshake(), LONG.ending(), LONG.probe(),
                LONG.start(), leave);
    }

    /** The real worker program. */
    static Path workerProgram() {
        return SoftwareInstallation.current().workerProgram();
    }

    /** The real plugins. */
    static Path plugins() {
        return SoftwareInstallation.current().plugins();
    }

    /** A service with the real worker program and plugins. */
    static DaemonConfiguration configuration() {
        DocaRuntime.current();
        return DaemonConfiguration.local(workerProgram(), List.of(plugins()));
    }

    /** A service whose log a test reads. */
    static UromDaemon start(DaemonConfiguration configuration, Path logDirectory) {
        return start(configuration, logDirectory, LONG);
    }

    /** A service with other deadlines whose log a test reads. */
    static UromDaemon start(DaemonConfiguration configuration, Path logDirectory,
            Deadlines deadlines) {
        DocaRuntime.current();
        return UromDaemon.start(configuration.withLogs(Optional.of(logDirectory), LogLevel.DEBUG,
                LogLevel.INFO), ServiceLog.toFile(logDirectory, LogLevel.DEBUG), deadlines);
    }

    /**
     * A worker program made of shell commands. It is asked about plugins too: it says that every
     * file is one, of version 7.
     */
    static Path script(Path directory, String... commands) {
        try {
            var script = directory.resolve("worker.sh");
            Files.writeString(script, """
                    #!/bin/sh
                    if [ "$1" = --probe ]; then
                        echo version=7
                        exit 0
                    fi
                    %s
                    """.formatted(String.join("\n", commands)));
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
            return script;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A directory with one file that a {@link #script} takes for a plugin. */
    static Path onePlugin(Path parent) {
        try {
            var directory = Files.createDirectory(parent.resolve("plugins"));
            Files.writeString(directory.resolve("anything.so"), "");
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The process ids of this JVM's children that run a worker program. */
    static Set<Long> workers(Path program) {
        return ProcessHandle.current().children().filter(child -> child.info().commandLine()
                .orElse("").contains(program.toString())).map(ProcessHandle::pid)
                .collect(Collectors.toSet());
    }

    /** Waits until a process is no more. */
    static void awaitEnd(long processId) {
        Waiting.until("process " + processId + " has ended", () -> !isAlive(processId));
    }

    static boolean isAlive(long processId) {
        return ProcessHandle.of(processId).map(ProcessHandle::isAlive).orElse(false);
    }

    /** What the service has logged so far. */
    static String log(Path logDirectory) {
        try {
            return Files.readString(logDirectory.resolve(ServiceLog.FILE_NAME));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
