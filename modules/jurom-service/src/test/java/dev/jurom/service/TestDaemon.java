// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.fixture.Waiting;
import dev.jurom.runtime.LogLevel;
import dev.jurom.runtime.internal.SoftwareInstallation;
import dev.jurom.service.counters.Counter;
import dev.jurom.service.counters.CounterFile;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.LogSettings;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.PeerFrames;
import dev.jurom.service.workers.Deadlines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Services for tests and the programs that they run. */
public final class TestDaemon {

    /** The default deadlines, with a shorter one for the last answer and a longer one for starts on busy machines. */
    public static final Deadlines LONG =
            Deadlines.DEFAULT.withEnding(Duration.ofMillis(20)).withStart(Duration.ofSeconds(60));

    /** The time for which a service waits for connections that do not end. */
    private static final Duration MAX_CLOSE = Duration.ofSeconds(2);

    private static final int ATTEMPTS = 5; // a busy machine may be slow several times

    private TestDaemon() {}

    /** Returns the real worker program. */
    public static Path workerProgram() {
        return SoftwareInstallation.current().workerProgram();
    }

    /** Returns the folder of the real plugins. */
    public static Path plugins() {
        return SoftwareInstallation.current().plugins();
    }

    /** Returns the configuration of a service with the real worker program and plugins. */
    public static DaemonConfiguration.Builder configuration() {
        return DaemonConfiguration.builder(workerProgram(), List.of(plugins()));
    }

    /** Starts a service that logs to a directory. */
    public static UromDaemon start(DaemonConfiguration.Builder configuration, Path logDirectory) {
        return start(configuration, logDirectory, LONG);
    }

    /** Starts a service with other deadlines that logs to a directory. */
    public static UromDaemon start(DaemonConfiguration.Builder configuration, Path logDirectory, Deadlines deadlines) {
        var changed = configuration
                .logs(LogSettings.DEFAULT.withDirectory(logDirectory).withLevels(LogLevel.DEBUG, LogLevel.INFO))
                .build();
        return UromDaemon.open(changed, ServiceLog.toFile(logDirectory, changed.logs()), deadlines);
    }

    /** Returns the lines of a service's log that contain a text. */
    public static List<String> logLines(Path directory, String text) {
        return log(directory).lines().filter(line -> line.contains(text)).toList();
    }

    /** Returns the value of a counter of a running service. */
    public static long count(UromDaemon daemon, Counter counter) {
        try {
            return CounterFile.read(daemon.directory().resolve("daemon.counters"))
                    .value(counter);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Asserts that a service does not wait for connections when it is closed. */
    public static void assertClosesAtOnce(Supplier<UromDaemon> start) {
        for (var i = 0; i < ATTEMPTS; i++) {
            var daemon = start.get();
            var begin = System.nanoTime();
            daemon.close();
            if (System.nanoTime() - begin < MAX_CLOSE.toNanos()) {
                return;
            }
        }
        throw new AssertionError("the service took more than " + MAX_CLOSE.toMillis() + " ms to close each time");
    }

    /**
     * Creates a worker program from shell commands, with the real launcher. As a probe, it reports each file as a plugin of version 7.
     */
    public static Path script(Path directory, String... commands) {
        try {
            var script = directory.resolve("worker.sh");
            Files.writeString(script, """
                    #!/bin/sh
                    case $1 in
                    --monitor) exec %s "$@" ;;
                    --probe*) echo version=7; exit 0 ;;
                    esac
                    %s
                    """.formatted(workerProgram(), String.join("\n", commands)));
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
            return script;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a shell command that writes a frame. */
    public static String write(Frame frame) {
        return write(PeerFrames.encode(frame));
    }

    /** Returns a shell command that writes bytes. */
    public static String write(byte[] bytes) {
        var octal = new StringBuilder("printf '");
        for (var b : bytes) {
            octal.append("\\%03o".formatted(Byte.toUnsignedInt(b)));
        }
        return octal.append("'").toString();
    }

    /** Creates a directory with one file that a {@link #script} reports as a plugin. */
    public static Path onePlugin(Path parent) {
        try {
            var directory = Files.createDirectory(parent.resolve("plugins"));
            Files.writeString(directory.resolve("anything.so"), "");
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the process IDs of this JVM's descendants that run a worker program, without its launchers. */
    public static Set<Long> workers(Path program) {
        return ProcessHandle.current()
                .descendants()
                .filter(child -> isWorker(child.info().commandLine().orElse(""), program))
                .map(ProcessHandle::pid)
                .collect(Collectors.toSet());
    }

    private static boolean isWorker(String commandLine, Path program) {
        return commandLine.contains(program.toString()) && !commandLine.contains("--monitor");
    }

    /** Waits until a process has exited. */
    public static void awaitEnd(long processId) {
        Waiting.until("process " + processId + " has exited", () -> !isAlive(processId));
    }

    public static boolean isAlive(long processId) {
        return ProcessHandle.of(processId).map(ProcessHandle::isAlive).orElse(false);
    }

    /** Returns the log of the service. */
    public static String log(Path logDirectory) {
        try {
            return Files.readString(logDirectory.resolve(LogSettings.FILE_NAME));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
