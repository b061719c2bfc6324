// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The service as {@code scripts/urom-daemon} starts it, in a directory of its own that outlives its
 * end: started again, it listens where it did before. Of one thread.
 */
public final class RestartableService implements AutoCloseable {

    private static final String LISTENING = "urom service listening on ";
    private static final Duration START = Duration.ofSeconds(60);
    private static final int END_SECONDS = 15;

    private final Path directory;
    private final List<String> command = new ArrayList<>();
    private final String plugins;
    private Process process;

    private RestartableService(NativePrograms programs, List<String> options) throws IOException {
        directory = Files.createTempDirectory("jurom-proof-");
        plugins = programs.file("plugins") + ";"
                + programs.file("tests/plugins_under_test/good");
        command.addAll(List.of(
                NativePrograms.repository().resolve("scripts/urom-daemon").toString(),
                "--listen", "unix:" + socket(), "--service-file", serviceFile().toString(),
                "--log-dir", logs().toString(), "--worker",
                programs.file("worker/urom_worker").toString(), "--cores", "8"));
        command.addAll(options);
    }

    /**
     * Starts one and waits until it listens.
     *
     * @param options of urom-daemon, beside those that say where it is
     */
    public static RestartableService start(NativePrograms programs, List<String> options)
            throws IOException, InterruptedException {
        var service = new RestartableService(programs, options);
        service.start();
        return service;
    }

    /** Where its Unix socket is. */
    public Path socket() {
        return directory.resolve("socket");
    }

    /** The service file that leads to it. */
    public Path serviceFile() {
        return directory.resolve("services");
    }

    /** Where it and its workers log. */
    public Path logs() {
        return directory.resolve("logs");
    }

    /** Where all that is. */
    public Path directory() {
        return directory;
    }

    /** What it has printed since it was started last: a line for each address. */
    public List<String> addresses() {
        try {
            return Files.readAllLines(output()).stream().filter(line -> line.startsWith(LISTENING))
                    .map(line -> line.substring(LISTENING.length())).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path output() {
        return directory.resolve("output");
    }

    /** Starts it again, and waits until it listens. It must have ended. */
    public void start() throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(output().toFile());
        builder.environment().put("UROM_PLUGIN_PATH", plugins);
        builder.environment().put("JUROM_READY", NativePrograms.repository().toString());
        Files.deleteIfExists(output());
        process = builder.start();
        var addresses = command.stream().filter("--listen"::equals).count();
        var deadline = System.nanoTime() + START.toNanos();
        while (addresses().size() < addresses) {
            if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("The service does not listen: "
                        + Files.readString(output()));
            }
            Thread.sleep(2);
        }
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** Whether it runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Its workers now, by process id. */
    public List<Long> workers() {
        return process.children().map(ProcessHandle::pid)
                .filter(pid -> HeldResources.nameOf(pid).equals("urom_worker")).toList();
    }

    /** Kills it, and waits until it has ended. */
    public void kill() throws InterruptedException {
        SignalSender.send(pid(), SignalSender.KILL);
        process.waitFor();
    }

    @Override
    public void close() throws IOException {
        try {
            SignalSender.send(pid(), SignalSender.CONTINUE);
            process.destroy();
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("The service did not end within " + END_SECONDS
                        + " s of SIGTERM; its logs are in " + logs());
            }
            delete(directory);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static void delete(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
