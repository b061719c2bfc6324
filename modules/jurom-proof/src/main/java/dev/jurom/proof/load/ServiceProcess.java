// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import dev.jurom.cli.UromDaemonMain;
import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.proof.process.JavaProgram;
import dev.jurom.service.status.ServiceStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A service as a separate process, as {@code scripts/urom-daemon} starts it. Not thread-safe. */
final class ServiceProcess implements AutoCloseable {

    private static final String LISTENING = "urom service listening on ";
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long PAUSE_NANOS = 5_000_000;
    private static final String WORKER = "urom_worker"; // a child that has not yet executed it is not counted

    private final Path folder;
    private final Process process; // terminated when this JVM exits
    private ServiceStatus status;

    private ServiceProcess(Path folder, Process process) {
        this.folder = folder;
        this.process = process;
    }

    /**
     * Starts a service that listens on a Unix socket in the folder, and waits until it does.
     *
     * @param folder the folder of its socket, service file and logs
     * @param heap the size of its heap in MiB
     * @param options further options of {@code urom-daemon}
     */
    static ServiceProcess start(Path folder, int heap, List<String> options) throws IOException {
        var jvm = List.of("-Xmx" + heap + "m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");
        var words = new ArrayList<>(List.of(
                "--listen",
                "unix:" + folder.resolve("urom.sock"),
                "--service-file",
                folder.resolve("services").toString(),
                "--log-dir",
                Files.createDirectory(folder.resolve("logs")).toString(),
                "--allow-root"));
        words.addAll(options);
        var process = new ProcessBuilder(JavaProgram.command(UromDaemonMain.class, jvm, words))
                .redirectOutput(folder.resolve("daemon.out").toFile())
                .redirectError(folder.resolve("daemon.err").toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(process::destroy));
        var service = new ServiceProcess(folder, process);
        try {
            service.awaitStatus();
        } catch (RuntimeException | IOException e) {
            process.destroyForcibly();
            throw e;
        }
        return service;
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

    /** Returns the service file. */
    Path serviceFile() {
        return folder.resolve("services");
    }

    /** Returns the path of the Unix socket. */
    Path socket() {
        return folder.resolve("urom.sock");
    }

    /** Returns the runtime directory of the service. */
    Path directory() {
        return status.directory();
    }

    /** Returns the TCP port of the address with the given index. */
    int port(int number) {
        var address = status.addresses().get(number);
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /** Returns the process id. */
    long pid() {
        return process.pid();
    }

    /** Returns whether the process is running. */
    boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the process ids of the workers. */
    List<Long> workers() {
        return process.children()
                .map(ProcessHandle::pid)
                .filter(pid -> nameOf(pid).equals(WORKER))
                .toList();
    }

    /** Returns the name of a process, or an empty string if it has exited. */
    private static String nameOf(long pid) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), "comm"))
                    .strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** Terminates the service. If it does not exit in time, kills it and throws an exception. */
    @Override
    public void close() {
        process.destroy();
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
