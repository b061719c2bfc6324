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
 * A service as a separate process, as {@code scripts/urom-daemon} starts it. All its files are in one folder
 * that outlives it, so that a restarted service listens at the same address. Closing terminates the service.
 * Not thread-safe.
 */
public final class ServiceProcess implements AutoCloseable {

    private static final String LISTENING = "urom service listening on ";
    private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long PAUSE_NANOS = 5_000_000;
    private static final String WORKER = "urom_worker"; // a child that has not yet executed it is not counted

    private final Path folder;
    private final ProcessBuilder builder;
    private volatile Process process; // the latest process; terminated when this JVM exits
    private ServiceStatus status;

    private ServiceProcess(Path folder, ProcessBuilder builder) {
        this.folder = folder;
        this.builder = builder;
    }

    /**
     * Starts a service that listens on a Unix socket in the folder, and waits until it does.
     *
     * @param folder the folder of its socket, service file and logs; with {@code --key}, it and its parent
     *     become readable for all users and must be used by this service only
     * @param heap JVM options for the size of the heap
     * @param environment additional environment variables
     * @param options further options of {@code urom-daemon}
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
        if (options.contains("--key")) { // it serves other users, which must be able to read it
            jvm.add("-Djurom.software.path=" + PublicSoftware.copy(folder));
        }
        var builder = new ProcessBuilder(JavaProgram.command(UromDaemonMain.class, jvm, words))
                .redirectOutput(folder.resolve("daemon.out").toFile())
                .redirectError(folder.resolve("daemon.err").toFile());
        builder.environment().putAll(environment);
        var service = new ServiceProcess(folder, builder);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(service::terminate));
        service.start();
        return service;
    }

    private void terminate() {
        if (process != null) {
            process.destroy();
        }
    }

    /** Restarts the service after it has exited, and waits until it listens. */
    public void startAgain() throws IOException {
        if (isAlive()) {
            throw new IllegalStateException("the service is already running as process " + pid());
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
                        "the service did not start: "
                                + Files.readString(folder.resolve("daemon.err")).strip());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            status = ServiceStatus.running().stream()
                    .filter(running -> running.process() == process.pid())
                    .findFirst()
                    .orElse(null);
        }
    }

    /** Returns the folder of the socket, the service file and the logs. */
    public Path folder() {
        return folder;
    }

    /** Returns the service file. */
    public Path serviceFile() {
        return folder.resolve("services");
    }

    /** Returns the path of the Unix socket. */
    public Path socket() {
        return folder.resolve("urom.sock");
    }

    /** Returns the runtime directory of the service. */
    public Path directory() {
        return status.directory();
    }

    /** Returns the folder of the logs of the service and its workers. */
    public Path logs() {
        return folder.resolve("logs");
    }

    /** Returns the TCP port of the address with the given index. */
    public int port(int number) {
        var address = status.addresses().get(number);
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /** Returns the current status. */
    public ServiceStatus status() {
        return status.again().orElse(status);
    }

    /** Returns the process id. */
    public long pid() {
        return process.pid();
    }

    /** Returns whether the process is running. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the process ids of the workers. */
    public List<Long> workers() {
        return process.children()
                .map(ProcessHandle::pid)
                .filter(pid -> HeldResources.nameOf(pid).equals(WORKER))
                .toList();
    }

    /** Returns the number of files in the runtime directory, including the sockets of workers. */
    public long files() {
        return count(directory());
    }

    /** Returns the number of entries of a directory, or 0 if it does not exist. */
    public static long count(Path directory) {
        try (var files = Files.list(directory)) {
            return files.count();
        } catch (IOException e) {
            return 0;
        }
    }

    /** Kills the service and waits until it has exited. */
    public void kill() throws InterruptedException {
        SignalSender.send(pid(), SignalSender.KILL);
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("the service, process " + pid() + ", did not exit within "
                    + PATIENCE.toSeconds() + " s of SIGKILL");
        }
    }

    /**
     * Terminates the service, even if it is stopped. If it does not exit in time, kills it and throws an
     * exception.
     */
    @Override
    public void close() {
        if (isAlive()) {
            SignalSender.send(pid(), SignalSender.CONTINUE);
            process.destroy();
        }
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("the service, process " + pid() + ", did not exit within "
                        + PATIENCE.toSeconds() + " s of SIGTERM");
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
