// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.hostile;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.PublicInstallation;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.ServiceProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A service process that runs from a copy readable for all users, since the tests may be in a private folder;
 * and the command lines of its hosts.
 */
final class AttackedService implements AutoCloseable {

    private static final String LISTENING = "urom service listening on ";

    private final Path folder;
    private final Path installation;
    private final Path code;
    private Process process;
    private Path output;

    /** Copies the required files into a folder, which becomes readable for all users. */
    AttackedService(Path folder) throws IOException {
        this.folder = folder;
        installation = PublicInstallation.in(folder);
        code = Files.createDirectory(folder.resolve("code"));
        copy(Command.LIBRARY, code.resolve("jurom"), "");
        copy(Command.SERVICE, code.resolve("service"), "");
        copy(Command.WORKER, code.resolve("worker"), "");
        copy(location(ScriptedHost.class), code.resolve("tests"), "ScriptedHost");
        copy(location(ServiceProgram.class), code.resolve("tests"), "ServiceProgram");
        open(code);
    }

    private static Path location(Class<?> type) {
        return Path.of(URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString()));
    }

    private static void copy(Path from, Path to, String part) throws IOException {
        try (var files = Files.walk(from)) {
            for (var file : files.toList()) {
                var copy = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else if (file.toString().contains(part)) {
                    Files.copy(file, copy);
                }
            }
        }
    }

    /** Makes a folder and its content readable for all users. */
    static void open(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.toList()) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
    }

    /** Returns the prefix of the copy. */
    Path installation() {
        return installation;
    }

    /** Starts the service and waits until it listens; {@code before} precedes the command line. */
    void start(List<String> before, Map<String, String> environment, String... arguments) throws IOException {
        output = Files.createTempFile(folder, "service", ".out");
        var words = new ArrayList<>(before);
        words.addAll(java(ServiceProgram.class.getName()));
        words.addAll(List.of(arguments));
        var builder = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        process = builder.start();
        Waiting.until("the service listens", () -> {
            if (!process.isAlive()) {
                throw new AssertionError("the service exited: " + output());
            }
            return output().lines().anyMatch(line -> line.startsWith(LISTENING));
        });
    }

    /** Returns the command line of a program of the copy. */
    List<String> java(String program) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Djurom.runtime=software",
                "-Djurom.software.path=" + installation,
                "--enable-native-access=ALL-UNNAMED",
                "--class-path",
                code.resolve("jurom") + ":" + code.resolve("worker") + ":" + code.resolve("service") + ":"
                        + code.resolve("tests"),
                program);
    }

    /** Creates a service file with a Unix socket. */
    Path serviceFile(String name, Path socket) throws IOException {
        return serviceFile(name, "unix:" + socket);
    }

    /** Creates a service file with an address. */
    Path serviceFile(String name, String place) throws IOException {
        var file = Files.writeString(folder.resolve(name), "localhost dpu " + place + " 0000:00:00.0 all\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        return file;
    }

    /** Returns the first address at which the service listens. */
    String address() {
        return output().lines()
                .filter(line -> line.startsWith(LISTENING))
                .findFirst()
                .orElseThrow()
                .substring(LISTENING.length());
    }

    /** Returns the output so far. */
    String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the worker processes that run as a user. */
    List<ProcessHandle> workers(int userId) {
        return process.children()
                .flatMap(ProcessHandle::children)
                .filter(child -> isOf(child, userId))
                .toList();
    }

    private static boolean isOf(ProcessHandle child, int userId) {
        try {
            return Files.readAllLines(Path.of("/proc/" + child.pid() + "/status"))
                    .contains(("Uid:" + "\t%d".repeat(4)).formatted(userId, userId, userId, userId));
        } catch (IOException e) {
            return false; // the process has exited
        }
    }

    ProcessHandle process() {
        return process.toHandle();
    }

    @Override
    public void close() {
        if (process == null) {
            return;
        }
        process.destroy();
        try {
            Waiting.until("the service exited", () -> !process.isAlive());
        } finally {
            process.destroyForcibly();
        }
    }
}
