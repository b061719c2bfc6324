// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import dev.jurom.Urom;
import dev.jurom.UromConfiguration;
import dev.jurom.cli.UromDaemonMain;
import dev.jurom.proof.faults.FaultPoints;
import dev.jurom.proof.faults.FaultSchedule;
import dev.jurom.proof.faults.FaultTable;
import dev.jurom.proof.process.WovenProgram;
import dev.jurom.service.settings.LogSettings;
import dev.jurom.urom.ServiceLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A service process with fault points, and its fault table. */
final class FaultyDaemon implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final long PAUSE = 500_000; // nanoseconds

    private final Path folder;
    private final FaultTable table;
    private final Process process;

    /**
     * Starts a service.
     *
     * @param folder the folder for the socket, log, output and fault table of the service
     * @param schedule the faults
     * @param arguments further options of the service
     */
    FaultyDaemon(Path folder, String schedule, String... arguments) throws IOException {
        this.folder = folder;
        var file = folder.resolve("faults");
        this.table = FaultTable.create(file);
        arm(schedule);
        var words = new ArrayList<>(List.of(
                "--listen",
                "unix:" + socket(),
                "--service-file",
                serviceFile().toString(),
                "--log-dir",
                Files.createDirectory(folder.resolve("log")).toString(),
                "--log-level",
                "70",
                "--allow-root"));
        words.addAll(List.of(arguments));
        var builder = WovenProgram.of(
                        WovenProgram.JAR, UromDaemonMain.class, List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"), words)
                .redirectOutput(folder.resolve("output").toFile());
        builder.environment().put(FaultTable.VARIABLE, file.toString());
        this.process = builder.start();
    }

    /** Arms further faults. */
    void arm(String schedule) {
        FaultSchedule.parse(schedule).forEach(fault -> table.arm(fault, 0));
    }

    static void await(String description, BooleanSupplier condition) {
        var begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begin > TIMEOUT.toNanos()) {
                throw new AssertionError("timeout after " + TIMEOUT.toSeconds() + " s: " + description);
            }
            LockSupport.parkNanos(PAUSE);
        }
    }

    /** Waits until the service listens; returns false if it exited instead. */
    boolean awaitListening() {
        await("the service listens or has exited", () -> !process.isAlive() || output().contains("listening on"));
        return process.isAlive();
    }

    /** Connects this process to the service. */
    Urom connect() {
        awaitListening();
        return Urom.open(UromConfiguration.builder()
                .service(ServiceLocation.file(serviceFile()))
                .build());
    }

    Path socket() {
        return folder.resolve("socket");
    }

    private Path serviceFile() {
        return folder.resolve("services");
    }

    FaultTable table() {
        return table;
    }

    ProcessHandle process() {
        return process.toHandle();
    }

    /** Returns the point and the action of each injected fault. */
    List<String> events() {
        return table.events().stream()
                .map(event -> FaultPoints.find(event.point()).orElseThrow() + " " + event.action())
                .toList();
    }

    /** Returns the output of the service. */
    String output() {
        return text(folder.resolve("output"));
    }

    /** Returns the log of the service. */
    String log() {
        return text(folder.resolve("log").resolve(LogSettings.FILE_NAME));
    }

    /** Returns the content of a file, or an empty string if the service has deleted it. */
    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    /** Sends a signal. This method has no effect if the process has exited. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    int awaitEnd() throws InterruptedException {
        if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("the service did not exit: " + log());
        }
        return process.exitValue();
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly();
        awaitEnd();
        table.close();
    }
}
