// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import dev.jurom.cli.UromDaemonMain;
import dev.jurom.proof.faults.FaultPoints;
import dev.jurom.proof.faults.FaultSchedule;
import dev.jurom.proof.faults.FaultTable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A service process with fault points, and its fault table. */
final class FaultyDaemon implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    static final long PAUSE = 500_000; // nanoseconds

    private static final Path ROOT = Path.of(System.getProperty("jurom.source"));
    private static final Path TARGET = ROOT.resolve("modules/jurom-proof/target");
    private static final FaultPoints POINTS = FaultPoints.read();

    private final Path folder;
    private final FaultTable table;
    private final Process process;

    /** Starts a service; {@code folder} is for its socket, log, output and table. */
    FaultyDaemon(Path folder, String schedule, String... arguments) throws IOException {
        this.folder = folder;
        var file = folder.resolve("faults");
        this.table = FaultTable.create(file);
        arm(schedule);
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Djurom.software.path=" + software(),
                "-cp",
                TARGET.resolve("jurom-woven.jar") + File.pathSeparator + System.getProperty("java.class.path"),
                UromDaemonMain.class.getName(),
                "--listen",
                "unix:" + socket(),
                "--log-dir",
                folder.resolve("log").toString(),
                "--log-level",
                "70",
                "--allow-root"));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile());
        builder.environment().put(FaultTable.VARIABLE, file.toString());
        this.process = builder.start();
    }

    private static Path software() throws IOException {
        try (var machines = Files.list(ROOT.resolve("target/software/META-INF/native"))) {
            return machines.findFirst().orElseThrow();
        }
    }

    /** Arms further faults. */
    void arm(String schedule) {
        FaultSchedule.parse(schedule, POINTS).arm(table);
    }

    static void await(String what, BooleanSupplier condition) {
        var begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begin > PATIENCE.toNanos()) {
                throw new AssertionError("timeout after " + PATIENCE.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(PAUSE);
        }
    }

    /** Waits until the service listens. */
    FaultyDaemon awaitListening() {
        await("the service listens", () -> {
            if (!process.isAlive()) {
                throw new AssertionError("the service exited: " + output() + log());
            }
            return output().contains("listening on");
        });
        return this;
    }

    Path socket() {
        return folder.resolve("socket");
    }

    FaultTable table() {
        return table;
    }

    ProcessHandle process() {
        return process.toHandle();
    }

    /** Returns the injected faults as points and actions. */
    List<String> events() {
        return table.events().stream()
                .map(event -> POINTS.find(event.point()).orElseThrow() + " " + event.action())
                .toList();
    }

    /** Returns the output of the service. */
    String output() {
        return text(folder.resolve("output"));
    }

    /** Returns the log of the service. */
    String log() {
        try (var files =
                Files.isDirectory(folder.resolve("log")) ? Files.list(folder.resolve("log")) : Stream.<Path>empty()) {
            var text = new StringBuilder();
            files.sorted().forEach(file -> text.append(text(file)));
            return text.toString();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the process state of the kernel: T if stopped, X if exited. */
    char state() {
        try {
            var stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return 'X';
        }
    }

    /** Sends a signal if the process is running. */
    void signal(String name) throws IOException, InterruptedException {
        if (new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                                .start()
                                .waitFor()
                        != 0
                && process.isAlive()) {
            throw new AssertionError("cannot send signal " + name);
        }
    }

    int awaitEnd() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("the service did not exit");
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
