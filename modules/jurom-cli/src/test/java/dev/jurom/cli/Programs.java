// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.jurom.Urom;
import dev.jurom.cli.shell.UromProgram;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.Waiting;
import dev.jurom.nativelibraries.SoftwareFiles;
import dev.jurom.service.EmbeddedService;
import dev.jurom.worker.WorkerPlugin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import picocli.CommandLine;

/** Runs this module's programs as modules, as the scripts start them. */
final class Programs {

    private Programs() {}

    /** Runs {@code urom}. */
    static Command.Result urom(String... arguments) {
        return Command.execute(uromWords(arguments));
    }

    /**
     * Runs {@code urom} in this JVM, which starts no other one: for results that depend on
     * nothing but the arguments and files.
     */
    static Printed uromHere(String... arguments) {
        var output = new ByteArrayOutputStream();
        var error = new ByteArrayOutputStream();
        var outputBefore = System.out;
        var errorBefore = System.err;
        System.setOut(new PrintStream(output, true, UTF_8));
        System.setErr(new PrintStream(error, true, UTF_8));
        try {
            var exitCode = UromProgram.run(UromCommand.commandLine(arguments), arguments);
            return new Printed(exitCode, output.toString(UTF_8), error.toString(UTF_8));
        } finally {
            System.setOut(outputBefore);
            System.setErr(errorBefore);
        }
    }

    /**
     * The exit code and the output of a program.
     *
     * @param exitCode its exit code
     * @param output its standard output
     * @param error its standard error
     */
    record Printed(int exitCode, String output, String error) {}

    /** Runs {@code urom} with additional environment variables. */
    static Printed uromFrom(Map<String, String> environment, String... arguments) {
        return run(environment, uromWords(arguments));
    }

    /**
     * Runs a command line with additional environment variables until it ends, for at most one
     * minute.
     */
    static Printed run(Map<String, String> environment, List<String> words) {
        try {
            var output = Files.createTempFile("jurom-program", ".out");
            var error = Files.createTempFile("jurom-program", ".err");
            var builder =
                    new ProcessBuilder(words).redirectOutput(output.toFile()).redirectError(error.toFile());
            builder.environment().putAll(environment);
            var process = builder.start();
            try {
                process.getOutputStream().close();
                Waiting.within(Duration.ofMinutes(1), words + " has ended", () -> !process.isAlive());
                return new Printed(process.exitValue(), Files.readString(output), Files.readString(error));
            } finally {
                process.destroyForcibly();
                Files.delete(output);
                Files.delete(error);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the command line of {@code urom}. */
    static List<String> uromWords(String... arguments) {
        return words(UromCommand.class, arguments);
    }

    /** Returns the command line of {@code urom-daemon}. */
    static List<String> daemonWords(String... arguments) {
        return words(UromDaemonMain.class, arguments);
    }

    /** Returns the command line of an example, which uses the same jars. */
    static List<String> exampleWords(String source, String... arguments) {
        var words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--class-path",
                modulePath(),
                Command.ROOT.resolve("examples").resolve(source).toString()));
        words.addAll(List.of(arguments));
        return words;
    }

    private static List<String> words(Class<?> program, String... arguments) {
        var words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC", // as in an installation: starts sooner
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                "--enable-native-access=dev.jurom",
                "--module-path",
                modulePath(),
                "--module",
                "dev.jurom.cli/" + program.getName()));
        words.addAll(List.of(arguments));
        return words;
    }

    private static String modulePath() {
        return Stream.of(
                        UromCommand.class,
                        Urom.class,
                        WorkerPlugin.class,
                        EmbeddedService.class,
                        SoftwareFiles.class,
                        CommandLine.class,
                        Histogram.class)
                .map(type ->
                        type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .collect(Collectors.joining(":"));
    }
}
