// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.settings.ListenAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A service in a separate process, with the arguments of {@link ServiceProgram}. */
public final class DaemonProcess implements AutoCloseable {

    private static final Pattern LISTENING = Pattern.compile("(?:urom service listening on (\\S+)\n)+");

    private final Process process;
    private final Path output;
    private final Path error;

    /** Starts a service whose output is written to {@code folder}. */
    public DaemonProcess(Path folder, Map<String, String> environment, String... arguments) {
        this(folder, List.of(), environment, arguments);
    }

    /** Starts a service with a command prefix. */
    public DaemonProcess(Path folder, List<String> before, Map<String, String> environment, String... arguments) {
        var command = new ArrayList<>(before);
        try {
            var options = new ArrayList<>(options(folder, environment, arguments));
            options.add(ForkedJvm.NATIVE_ACCESS);
            command.addAll(ForkedJvm.command(ServiceProgram.class, options.toArray(String[]::new)));
            command.addAll(List.of(arguments));
            output = Files.createTempFile(folder, "daemon", ".out");
            error = Files.createTempFile(folder, "daemon", ".err");
            var builder =
                    new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(error.toFile());
            builder.environment().putAll(environment);
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the JVM options of {@code urom-daemon}. */
    private static List<String> options(Path folder, Map<String, String> environment, String... arguments)
            throws IOException {
        var words = new ArrayList<>(List.of(Command.ROOT + "/src/main/install/daemon-options"));
        words.addAll(List.of(arguments));
        var file = Files.createTempFile(folder, "options", "");
        var builder =
                new ProcessBuilder(words).redirectOutput(file.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        var script = builder.start();
        Waiting.until("the options are known", () -> !script.isAlive());
        return List.of(Files.readString(file).strip().split(" "));
    }

    /** Waits until the service listens and returns its last address. */
    public ListenAddress address() {
        return addresses().getLast();
    }

    /** Waits until the service listens and returns all its addresses. */
    public List<ListenAddress> addresses() {
        Waiting.until("the service listens", () -> {
            if (!process.isAlive()) {
                throw new AssertionError("the service has exited: " + error());
            }
            return LISTENING.matcher(output()).matches();
        });
        return output().lines()
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .map(ListenAddress::parse)
                .toList();
    }

    public String output() {
        return read(output);
    }

    public String error() {
        return read(error);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the process ID. */
    public long id() {
        return process.pid();
    }

    /** Returns the processes of the workers. */
    public List<ProcessHandle> workers() {
        return process.children().flatMap(ProcessHandle::children).collect(Collectors.toList());
    }

    /** Returns the launcher, which has started. */
    public ProcessHandle launcher() {
        return process.children().findFirst().orElseThrow();
    }

    /** Sends SIGTERM, as a container runtime does. */
    public void terminate() {
        process.destroy();
    }

    /** Sends SIGHUP: the service reloads its hosts and plugins. */
    public void hangUp() {
        signal("HUP");
    }

    /** Sends a signal. */
    public void signal(String name) {
        Command.run("kill", "-" + name, Long.toString(process.pid()));
    }

    /** Kills the service. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Waits until the service exits. */
    public int awaitEnd() {
        Waiting.until("the service has exited", () -> !process.isAlive());
        return process.exitValue();
    }

    @Override
    public void close() {
        kill();
        awaitEnd();
    }
}
