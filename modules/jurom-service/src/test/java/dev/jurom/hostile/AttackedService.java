// SPDX-License-Identifier: Apache-2.0
package dev.jurom.hostile;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.PublicInstallation;
import dev.jurom.fixture.ServiceProgram;
import dev.jurom.fixture.Waiting;
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
 * A service as a process of its own, from a copy of everything that all users may read, since the
 * tests may lie in a folder that others cannot pass; and the command lines of its hosts.
 */
final class AttackedService implements AutoCloseable {

    private static final String LISTENING = "urom service listening on ";

    private final Path folder;
    private final Path installation;
    private final Path code;
    private Process process;
    private Path output;

    /** Copies what is needed into a folder, which is opened to all. */
    AttackedService(Path folder) throws IOException {
        this.folder = folder;
        installation = PublicInstallation.in(folder);
        code = Files.createDirectory(folder.resolve("code"));
        copy(Command.LIBRARY, code.resolve("jurom"), "");
        copy(Command.SERVICE, code.resolve("service"), "");
        copy(location(HostOfAnyone.class), code.resolve("tests"), "HostOfAnyone");
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

    /** Lets every user read all that is in a folder. */
    static void open(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.toList()) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
    }

    /** The copy's prefix. */
    Path installation() {
        return installation;
    }

    /** Starts it and waits until it listens; {@code before} is what runs the command line. */
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
                throw new AssertionError("the service has ended: " + output());
            }
            return output().lines().anyMatch(line -> line.startsWith(LISTENING));
        });
    }

    /** The command line of a program of the copy. */
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
                code.resolve("jurom") + ":" + code.resolve("service") + ":" + code.resolve("tests"),
                program);
    }

    /** A service file that leads to a Unix socket. */
    Path serviceFile(String name, Path socket) throws IOException {
        return serviceFile(name, "unix:" + socket);
    }

    /** A service file that leads to a place. */
    Path serviceFile(String name, String place) throws IOException {
        var file = Files.writeString(folder.resolve(name), "localhost dpu " + place + " 0000:00:00.0 all\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        return file;
    }

    /** Where it listens, or the first place of several. */
    String address() {
        return output().lines()
                .filter(line -> line.startsWith(LISTENING))
                .findFirst()
                .orElseThrow()
                .substring(LISTENING.length());
    }

    /** What it has printed so far. */
    String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The processes of its workers that run as a user. */
    List<ProcessHandle> workers(int userId) {
        return process.children().filter(child -> isOf(child, userId)).toList();
    }

    private static boolean isOf(ProcessHandle child, int userId) {
        try {
            return Files.readAllLines(Path.of("/proc/" + child.pid() + "/status"))
                    .contains(("Uid:" + "\t%d".repeat(4)).formatted(userId, userId, userId, userId));
        } catch (IOException e) {
            return false; // it has gone
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
            Waiting.until("the service has ended", () -> !process.isAlive());
        } finally {
            process.destroyForcibly();
        }
    }
}
