// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.core.Device;
import dev.jurom.core.ProgressEngine;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.Waiting;
import dev.jurom.urom.ServiceLocation;
import dev.jurom.urom.UromService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.BiConsumer;

/** Runs {@code urom-daemon} as a process, with this process as its host. */
final class DaemonProgram implements AutoCloseable {

    private final Process process;
    private final Path services;
    private final Path output;
    private final Path error;

    /** Starts the daemon with a socket and a service file in a folder, and the given arguments. */
    DaemonProgram(Path folder, Map<String, String> environment, String... words) {
        try {
            services = folder.resolve("services");
            output = Files.createTempFile(folder, "daemon", ".out");
            error = Files.createTempFile(folder, "daemon", ".err");
            var builder = new ProcessBuilder(Programs.daemonWords(words))
                    .redirectOutput(output.toFile())
                    .redirectError(error.toFile());
            builder.environment().putAll(environment);
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a daemon and waits until it listens and has written its service file. */
    static DaemonProgram listening(Path folder, Map<String, String> environment, String... words) {
        var all = new String[words.length + 5];
        System.arraycopy(words, 0, all, 5, words.length);
        all[0] = "--listen";
        all[1] = "unix:" + folder.resolve("socket");
        all[2] = "--service-file";
        all[3] = folder.resolve("services").toString();
        all[4] = "--allow-root"; // the tests may run as root
        var daemon = new DaemonProgram(folder, environment, all);
        Waiting.until("the service listens", () -> {
            if (!daemon.process.isAlive()) {
                throw new AssertionError("the service has ended: " + daemon.error());
            }
            return daemon.output().contains("urom service listening on unix:");
        });
        return daemon;
    }

    /** Connects this process as a host, with a maximum message size. */
    void visit(int maxMessageSize, BiConsumer<ProgressEngine, UromService> action) {
        try (var engine = ProgressEngine.create();
                var device = Device.open();
                var service = UromService.create(engine, device)
                        .setLocation(ServiceLocation.file(services))
                        .setMaxMessageSize(maxMessageSize)) {
            service.start();
            action.accept(engine, service);
        }
    }

    String output() {
        return read(output);
    }

    String error() {
        return read(error);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends SIGHUP to the daemon. */
    void hangUp() {
        Command.run("kill", "-HUP", Long.toString(process.pid()));
    }

    /** Stops the daemon by SIGSTOP. */
    void pause() {
        Command.run("kill", "-STOP", Long.toString(process.pid()));
    }

    /** Waits until the daemon exits. */
    int awaitEnd() {
        Waiting.until("the service has ended", () -> !process.isAlive());
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        awaitEnd();
    }
}
