// SPDX-License-Identifier: Apache-2.0
package dev.jurom.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs that a test runs to their end, such as a compiler and what it made. */
public final class Command {

    /** The repository's root. */
    public static final Path ROOT = Path.of(System.getProperty("jurom.source", "."))
            .toAbsolutePath();

    private static final long DEADLINE_SECONDS = 60;

    private Command() {
    }

    /**
     * How a command line ended.
     *
     * @param exitCode its exit code
     * @param output what it printed, on standard output and standard error
     */
    public record Result(int exitCode, String output) {
    }

    /**
     * Runs a command line and returns what it prints.
     *
     * @throws AssertionError with the output if it fails or takes longer than a minute
     */
    public static String run(String... words) {
        return run(List.of(words));
    }

    /** As {@link #run(String...)}. */
    public static String run(List<String> words) {
        var result = execute(words);
        if (result.exitCode() != 0) {
            throw new AssertionError("exit code %d of %s%n%s"
                    .formatted(result.exitCode(), words, result.output()));
        }
        return result.output();
    }

    /**
     * Runs a command line that may fail.
     *
     * @throws AssertionError with the output if it takes longer than a minute
     */
    public static Result execute(List<String> words) {
        try {
            var output = Files.createTempFile("jurom-command", ".out");
            try {
                return execute(words, output);
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted in " + words, e);
        }
    }

    private static Result execute(List<String> words, Path output)
            throws IOException, InterruptedException {
        // Into a file: a pipe that nobody reads while this waits would fill up.
        var process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("still running after %d s: %s%n%s"
                    .formatted(DEADLINE_SECONDS, words, Files.readString(output)));
        }
        return new Result(process.exitValue(), Files.readString(output));
    }

    /** Runs the {@code urom} command in a JVM of its own. */
    public static Result urom(String... arguments) {
        return execute(uromWords(arguments));
    }

    /** The command line of the {@code urom} command. */
    public static List<String> uromWords(String... arguments) {
        return javaWords("dev.jurom.cli.UromCommand", arguments);
    }

    /** The command line of a program of the module. */
    public static List<String> javaWords(String program, String... arguments) {
        var words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=dev.jurom",
                "--module-path", System.getProperty("jdk.module.path"),
                "--add-modules", "info.picocli,HdrHistogram",
                "--module", "dev.jurom/" + program));
        words.addAll(List.of(arguments));
        return words;
    }

    /** The compiler and linker flags that pkg-config knows for some packages. */
    public static List<String> flags(String... packages) {
        var words = new ArrayList<>(List.of("pkg-config", "--cflags", "--libs"));
        words.addAll(List.of(packages));
        return List.of(run(words).strip().split("\\s+"));
    }
}
