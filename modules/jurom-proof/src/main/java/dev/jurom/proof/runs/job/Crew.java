// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultTable;
import dev.jurom.proof.runs.host.JavaHosts;
import dev.jurom.proof.runs.host.RunService;
import dev.jurom.proof.runs.plan.DomainPlan;
import dev.jurom.proof.runs.plan.HostKind;
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
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The processes that runs of a job share: a service, a JVM of Java hosts, and what forks C hosts.
 * Each can be started anew.
 */
final class Crew implements AutoCloseable {

    /** Its Java programs. */
    static final List<Class<?>> JAVA_PROGRAMS = List.of(RunService.class, JavaHosts.class);

    private static final List<String> SERVICE_FLAGS = List.of("-Xms48m", "-Xmx48m", "-XX:TieredStopAtLevel=1");
    private static final List<String> HOST_FLAGS = List.of("-Xmx64m", "-XX:TieredStopAtLevel=1");
    private static final Duration START = Duration.ofSeconds(60);
    private static final String TABLE = "faults";
    private static final String SERVICE_FILE_VARIABLE = "DOCA_UROM_SERVICE_FILE";

    private final Path directory;
    private final Installation installation;
    private final Function<Class<?>, List<String>> archives;
    private final FaultTable faults;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private TalkingProcess service;
    private TalkingProcess javaHosts;
    private TalkingProcess cHosts;

    /**
     * A crew of which nobody is started yet.
     *
     * @param archives how a Java program is told to use, or to make, the archive of its classes
     */
    Crew(Path directory, Installation installation, Function<Class<?>, List<String>> archives) {
        this.directory = directory;
        this.installation = installation;
        this.archives = archives;
        try {
            Files.createDirectories(directory.resolve(RunService.LOGS));
            Files.createDirectories(ExchangeFolder.in(directory).path());
            faults = FaultTable.create(directory.resolve(TABLE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts what does not run. */
    void provide() {
        if (service == null || !service.lives()) {
            service = TalkingProcess.start(
                    "service",
                    directory,
                    variables(),
                    java(SERVICE_FLAGS, RunService.class, directory.toString()),
                    lines);
            await("urom service listening on ");
        }
        if (javaHosts == null || !javaHosts.lives()) {
            javaHosts = TalkingProcess.start(
                    "java-hosts", directory, variables(), java(HOST_FLAGS, JavaHosts.class), lines);
            await("ready");
        }
        if (cHosts == null || !cHosts.lives()) {
            cHosts = TalkingProcess.start(
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
                SERVICE_FILE_VARIABLE,
                directory.resolve(RunService.SERVICE_FILE).toString(),
                FaultTable.VARIABLE,
                directory.resolve(TABLE).toString(),
                DomainPlan.FOLDER_VARIABLE,
                ExchangeFolder.in(directory).path().toString(),
                "LD_LIBRARY_PATH",
                installation.software().resolve("lib").toString());
    }

    private List<String> java(List<String> flags, Class<?> program, String... arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(archives.apply(program));
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:-CreateCoredumpOnCrash",
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

    private void await(String beginning) {
        var line = next(START);
        while (line != null && !line.startsWith(beginning) && !tellsEnd(line)) {
            line = next(START);
        }
        if (line == null || !line.startsWith(beginning)) {
            throw new IllegalStateException("A process of a run did not say '" + beginning + "' within " + START
                    + ", but: " + line + "; see " + directory);
        }
    }

    /** Whether a process has ended; not one that another has followed. */
    boolean tellsEnd(String line) {
        return line.startsWith("gone ")
                && Stream.of(service, javaHosts, cHosts)
                        .filter(Objects::nonNull)
                        .anyMatch(process -> line.endsWith(" pid=" + process.id()));
    }

    /** The next line that one of them says; null if there is none in time. */
    String next(Duration patience) {
        try {
            return lines.poll(Math.max(0, patience.toNanos()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** What shall happen at the fault points of all its processes. */
    FaultTable faults() {
        return faults;
    }

    /** Tells whom faults have stopped to go on: it may have been after the hosts had ended. */
    void resumeStopped() {
        faults.events().stream()
                .filter(event -> event.action() == FaultAction.STOP)
                .forEach(event -> Signal.CONT.send(event.process()));
    }

    TalkingProcess service() {
        return service;
    }

    TalkingProcess javaHosts() {
        return javaHosts;
    }

    /** Who has the hosts of a kind. */
    TalkingProcess hosts(HostKind kind) {
        return kind == HostKind.C ? cHosts : javaHosts;
    }

    Path directory() {
        return directory;
    }

    /** Ends all in good order; what did not end by itself is named. */
    List<String> end() {
        var stubborn = new ArrayList<String>();
        if (cHosts != null && !cHosts.dismiss()) {
            stubborn.add(cHosts.toString());
        }
        if (javaHosts != null && !javaHosts.dismiss()) {
            stubborn.add(javaHosts.toString());
        }
        if (service != null && !service.end()) {
            stubborn.add(service.toString());
        }
        lines.clear();
        cHosts = null;
        javaHosts = null;
        service = null;
        return stubborn;
    }

    /** Kills all that run. */
    @Override
    public void close() {
        for (var process : new TalkingProcess[] {cHosts, javaHosts, service}) {
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
