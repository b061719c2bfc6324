// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.watch;

import dev.jurom.cli.UromDaemonMain;
import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.service.ServiceStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/**
 * A service as a process of its own, as {@code scripts/urom-daemon} starts it, with all its files in
 * one folder. Closing it has it end by itself, or kills it after a while.
 */
public final class ServiceProcess implements AutoCloseable {

    private static final String LISTENING = "urom service listening on ";
    private static final List<String> JVM = List.of("-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1", "-Xshare:auto");
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long PAUSE_NANOS = 5_000_000;

    private final Process process;
    private final Path folder;
    private ServiceStatus status;

    private ServiceProcess(Process process, Path folder) {
        this.process = process;
        this.folder = folder;
    }

    /**
     * Starts a service that listens on a Unix socket in the folder, and waits until it does.
     *
     * @param folder where its socket, its service file and its logs are put
     * @param heap options of its JVM that say how large its heap is
     * @param environment variables in addition to this process's
     * @param options further ones of {@code urom-daemon}
     */
    public static ServiceProcess start(Path folder, List<String> heap,
            Map<String, String> environment, List<String> options) throws IOException {
        var logs = Files.createDirectories(folder.resolve("logs"));
        var words = new ArrayList<>(List.of("--listen", "unix:" + folder.resolve("urom.sock"),
                "--service-file", folder.resolve("services").toString(),
                "--log-dir", logs.toString()));
        words.addAll(options);
        var jvm = new ArrayList<>(JVM);
        jvm.addAll(heap);
        if (options.contains("--key")) { // it serves other users than its own, who must reach it
            jvm.add("-Djurom.software.path=" + PublicSoftware.copy(folder));
        }
        var builder = new ProcessBuilder(JavaProgram.command(UromDaemonMain.class, jvm, words))
                .redirectOutput(folder.resolve("daemon.out").toFile())
                .redirectError(folder.resolve("daemon.err").toFile());
        builder.environment().putAll(environment);
        var service = new ServiceProcess(builder.start(), folder);
        Runtime.getRuntime().addShutdownHook(
                Thread.ofPlatform().unstarted(service.process::destroy));
        try {
            service.awaitStatus();
        } catch (RuntimeException e) {
            service.close();
            throw e;
        }
        return service;
    }

    private void awaitStatus() throws IOException {
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        while (status == null || !Files.readString(folder.resolve("daemon.out")).contains(LISTENING)) {
            if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                throw new CommandFailure(ExitCode.NO_SERVICE, "The service does not start: "
                        + Files.readString(folder.resolve("daemon.err")).strip());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            status = ServiceStatus.running().stream()
                    .filter(running -> running.process() == process.pid()).findFirst().orElse(null);
        }
    }

    /** The service file that leads to it. */
    public Path serviceFile() {
        return folder.resolve("services");
    }

    /** The path of its Unix socket. */
    public Path socket() {
        return folder.resolve("urom.sock");
    }

    /** The directory that it has made for itself. */
    public Path directory() {
        return status.directory();
    }

    /** Where it and its workers log. */
    public Path logs() {
        return folder.resolve("logs");
    }

    /** The TCP port of its address with this number. */
    public int port(int number) {
        var address = status.addresses().get(number);
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /** What it says of itself now. */
    public ServiceStatus status() {
        return status.again().orElse(status);
    }

    /** The id of its process. */
    public long pid() {
        return process.pid();
    }

    /** Whether its process runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** The ids of its workers' processes. */
    public LongStream workers() {
        return process.children().mapToLong(ProcessHandle::pid);
    }

    /** How many files it has in its directory, the sockets of its workers among them. */
    public long files() {
        return count(directory());
    }

    /** How many entries a directory has; none if it is gone. */
    public static long count(Path directory) {
        try (var files = Files.list(directory)) {
            return files.count();
        } catch (IOException e) {
            return 0;
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
