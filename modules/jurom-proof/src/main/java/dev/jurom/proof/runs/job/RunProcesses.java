// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultTable;
import dev.jurom.proof.runs.host.JavaHosts;
import dev.jurom.proof.runs.host.RunService;
import dev.jurom.proof.runs.plan.HostKind;
import dev.jurom.urom.ServiceFile;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The processes that the runs of a job share: a service, a JVM with Java hosts, and a process that forks C
 * hosts. Each of them can be restarted.
 */
final class RunProcesses implements AutoCloseable {

    private static final List<String> SERVICE_FLAGS = List.of("-Xms48m", "-Xmx48m", "-XX:TieredStopAtLevel=1");
    private static final List<String> HOST_FLAGS = List.of("-Xmx64m", "-XX:TieredStopAtLevel=1");
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final String REMOTE_VARIABLE = "JUROM_RUN_REMOTE_SERVICE_FILE"; // the service file of REMOTE hosts
    private static final String TABLE = "faults";
    private static final String LISTENING = "urom service listening on ";
    private static final String DEVICE = "0000:00:00.0"; // soft0

    private final Path directory;
    private final Installation installation;
    private final FaultTable faults;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private LineProcess service;
    private LineProcess javaHosts;
    private LineProcess cHosts;

    /** Creates the processes without starting them. */
    RunProcesses(Path directory, Installation installation) {
        this.directory = directory;
        this.installation = installation;
        try {
            Files.createDirectories(directory.resolve(RunService.LOGS));
            faults = FaultTable.create(directory.resolve(TABLE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the processes that are not running. */
    void start() {
        if (service == null || !service.isRunning()) {
            service = LineProcess.start(
                    "service",
                    directory,
                    variables(),
                    java(SERVICE_FLAGS, RunService.class, directory.toString()),
                    lines);
            await(LISTENING);
            writeRemoteServiceFile(await(LISTENING).substring(LISTENING.length()));
        }
        if (javaHosts == null || !javaHosts.isRunning()) {
            javaHosts =
                    LineProcess.start("java-hosts", directory, variables(), java(HOST_FLAGS, JavaHosts.class), lines);
            await("ready");
        }
        if (cHosts == null || !cHosts.isRunning()) {
            cHosts = LineProcess.start(
                    "c-hosts",
                    directory,
                    variables(),
                    List.of(installation.hosts().toString()),
                    lines);
        }
    }

    private String classPath() {
        return installation.woven() + File.pathSeparator + System.getProperty("java.class.path");
    }

    private Map<String, String> variables() {
        return Map.of(
                ServiceFile.VARIABLE,
                directory.resolve(RunService.SERVICE_FILE).toString(),
                REMOTE_VARIABLE,
                directory.resolve(RunService.REMOTE_SERVICE_FILE).toString(),
                "DOCA_UROM_KEY_FILE",
                directory.resolve(RunService.HOST_KEY).toString(),
                FaultTable.VARIABLE,
                directory.resolve(TABLE).toString(),
                "LD_LIBRARY_PATH",
                installation.software().resolve("lib").toString());
    }

    private List<String> java(List<String> flags, Class<?> program, String... arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:+AutoCreateSharedArchive", // most of the time of a run is spent starting JVMs
                "-XX:SharedArchiveFile=" + installation.woven().resolveSibling(program.getSimpleName() + ".jsa"),
                "-Xlog:cds=off",
                "-Xlog:cds+dynamic=off",
                "-Xlog:class+path=off",
                "-Xshare:auto",
                "-XX:ErrorFile=" + directory.resolve("crash-%p.txt"),
                "--enable-native-access=ALL-UNNAMED",
                "-Djurom.runtime=software",
                "-Djurom.software.path=" + installation.software(),
                "-cp",
                classPath(),
                program.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    private void writeRemoteServiceFile(String address) {
        ServiceFile.of(new ServiceFile.Entry("localhost", address, DEVICE, List.of("lo")))
                .write(directory.resolve(RunService.REMOTE_SERVICE_FILE));
    }

    private String await(String beginning) {
        var line = next(START_TIMEOUT);
        while (line != null && !line.startsWith(beginning) && !isExitOfCurrent(line)) {
            line = next(START_TIMEOUT);
        }
        if (line == null || !line.startsWith(beginning)) {
            throw new IllegalStateException("a process of a run did not print '" + beginning + "' within "
                    + START_TIMEOUT + "; last line: " + line + "; see " + directory);
        }
        return line;
    }

    /** Returns whether a line reports the exit of a current process, rather than of a process that was replaced. */
    boolean isExitOfCurrent(String line) {
        return line.startsWith("exited ")
                && Stream.of(service, javaHosts, cHosts)
                        .filter(Objects::nonNull)
                        .anyMatch(process -> line.endsWith(" pid=" + process.id()));
    }

    /** Returns the next line of output, or null after a timeout. */
    String next(Duration timeout) {
        try {
            return lines.poll(Math.max(0, timeout.toNanos()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** Returns the fault table of the processes. */
    FaultTable faults() {
        return faults;
    }

    /** Resumes processes that faults have stopped, possibly after the hosts have ended. */
    void resumeStopped() {
        faults.events().stream()
                .filter(event -> event.action() == FaultAction.STOP)
                .forEach(event -> Signal.CONT.send(event.process()));
    }

    LineProcess service() {
        return service;
    }

    LineProcess javaHosts() {
        return javaHosts;
    }

    /** Returns the process with the hosts of a kind. */
    LineProcess hosts(HostKind kind) {
        return kind.isProcess() ? cHosts : javaHosts;
    }

    Path directory() {
        return directory;
    }

    /** Terminates all processes; returns the names of those that had to be killed. */
    List<String> terminate() {
        var killed = new ArrayList<String>();
        if (cHosts != null && !cHosts.closeInput()) {
            killed.add(cHosts.toString());
        }
        if (javaHosts != null && !javaHosts.closeInput()) {
            killed.add(javaHosts.toString());
        }
        if (service != null && !service.terminate()) {
            killed.add(service.toString());
        }
        lines.clear();
        cHosts = null;
        javaHosts = null;
        service = null;
        return killed;
    }

    /** Kills all processes. */
    @Override
    public void close() {
        for (var process : new LineProcess[] {cHosts, javaHosts, service}) {
            if (process != null) {
                process.close();
            }
        }
        lines.clear();
        cHosts = null;
        javaHosts = null;
        service = null;
    }
}
