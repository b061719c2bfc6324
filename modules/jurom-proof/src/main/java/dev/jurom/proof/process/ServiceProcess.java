// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.process;

import dev.jurom.cli.UromDaemonMain;
import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.service.status.ServiceStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A service as a process of its own, as {@code scripts/urom-daemon} starts it, with all its files in
 * one folder that outlives it: started again, it listens where it did before. Closing it has it end
 * by itself. Of one thread.
 */
public final class ServiceProcess implements AutoCloseable {

    private static final String LISTENING = "urom service listening on ";
    private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long PAUSE_NANOS = 5_000_000;
    private static final String WORKER = "urom_worker"; // a child that is another yet is no worker

    private final Path folder;
    private final ProcessBuilder builder;
    private volatile Process process; // the last; the end of this program is its end, too
    private ServiceStatus status;

    private ServiceProcess(Path folder, ProcessBuilder builder) {
        this.folder = folder;
        this.builder = builder;
    }

    /**
     * Starts a service that listens on a Unix socket in the folder, and waits until it does.
     *
     * @param folder where its socket, its service file and its logs are put; with {@code --key} it
     *     and the folder above are opened to all, and must be ours alone
     * @param heap options of its JVM that say how large its heap is
     * @param environment variables in addition to this process's
     * @param options further ones of {@code urom-daemon}
     */
    public static ServiceProcess start(
            Path folder, List<String> heap, Map<String, String> environment, List<String> options) throws IOException {
        var logs = Files.createDirectories(folder.resolve("logs"));
        var words = new ArrayList<>(List.of(
                "--listen",
                "unix:" + folder.resolve("urom.sock"),
                "--service-file",
                folder.resolve("services").toString(),
                "--log-dir",
                logs.toString(),
                "--allow-root"));
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
        var service = new ServiceProcess(folder, builder);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(service::tellToEnd));
        service.start();
        return service;
    }

    private void tellToEnd() {
        if (process != null) {
            process.destroy();
        }
    }

    /** Starts it again when it has ended, and waits until it listens. */
    public void startAgain() throws IOException {
        if (isAlive()) {
            throw new IllegalStateException("The service runs, as process " + pid());
        }
        start();
    }

    private void start() throws IOException {
        process = builder.start();
        status = null;
        try {
            awaitStatus();
        } catch (RuntimeException | IOException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private void awaitStatus() throws IOException {
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        while (status == null || !Files.readString(folder.resolve("daemon.out")).contains(LISTENING)) {
            if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                throw new CommandFailure(
                        ExitCode.NO_SERVICE,
                        "The service does not start: "
                                + Files.readString(folder.resolve("daemon.err")).strip());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            status = ServiceStatus.running().stream()
                    .filter(running -> running.process() == process.pid())
                    .findFirst()
                    .orElse(null);
        }
    }

    /** Where its socket, its service file and its logs are. */
    public Path folder() {
        return folder;
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
    public List<Long> workers() {
        return process.children()
                .map(ProcessHandle::pid)
                .filter(pid -> HeldResources.nameOf(pid).equals(WORKER))
                .toList();
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

    /** Kills it, and waits until it has ended. */
    public void kill() throws InterruptedException {
        SignalSender.send(pid(), SignalSender.KILL);
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException(
                    "The service, process " + pid() + ", did not end within " + PATIENCE.toSeconds() + " s of SIGKILL");
        }
    }

    /** Has it end by itself, also if it was stopped; one that does not is killed and an error. */
    @Override
    public void close() {
        if (isAlive()) {
            SignalSender.send(pid(), SignalSender.CONTINUE);
            process.destroy();
        }
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("The service, process " + pid() + ", did not end within "
                        + PATIENCE.toSeconds() + " s of SIGTERM");
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
