// SPDX-License-Identifier: Apache-2.0
package dev.jurom.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A C program that a test compiles and runs, for example to pack the same messages as a codec with
 * C structs. The compiler is {@code cc}. Not thread-safe.
 */
public final class CProgram implements AutoCloseable {

    private static final List<String> COMPILER = List.of("cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror");
    private static final long DEADLINE_SECONDS = 60;

    private final Path folder;

    private CProgram(Path folder) {
        this.folder = folder;
    }

    /**
     * Compiles a program. Warnings are errors. Blocks for at most one minute.
     *
     * @param sources the C files
     * @param flags further arguments for the compiler, such as {@code -I} with a directory of
     *         headers, and libraries
     * @return the program, which the caller must close
     * @throws AssertionError if compiling fails, with the output of the compiler, or takes longer
     *         than a minute
     * @throws UncheckedIOException if there is no compiler, or no space for files
     */
    public static CProgram compile(List<Path> sources, List<String> flags) {
        var program = new CProgram(temporaryFolder());
        try {
            var words = new ArrayList<>(COMPILER);
            words.addAll(List.of("-o", program.file().toString()));
            sources.forEach(source -> words.add(source.toString()));
            words.addAll(flags);
            program.execute(words, List.of());
            return program;
        } catch (RuntimeException | Error e) {
            program.close();
            throw e;
        }
    }

    /**
     * Compiles a program from a text.
     *
     * @param source the text of its only C file
     * @param flags further arguments for the compiler
     * @return the program, which the caller must close
     * @throws AssertionError as {@link #compile(List, List)}
     * @throws UncheckedIOException as {@link #compile(List, List)}
     */
    public static CProgram compile(String source, List<String> flags) {
        try {
            var file = Files.createTempFile("jurom-twin", ".c");
            try {
                return compile(List.of(Files.writeString(file, source)), flags);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("jurom-twin");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path file() {
        return folder.resolve("program");
    }

    /**
     * Runs the program until it exits. Blocks for at most one minute.
     *
     * @param input the lines of its standard input
     * @return the lines of its output
     * @throws AssertionError if its exit code is not 0 or it does not exit in time, with its output
     * @throws UncheckedIOException if it cannot be run
     */
    public List<String> run(List<String> input) {
        return execute(List.of(file().toString()), input).lines().toList();
    }

    private String execute(List<String> words, List<String> input) {
        try {
            // Files, because an unread pipe could fill up and block the program.
            var output = folder.resolve("output");
            var process = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectInput(Files.write(folder.resolve("input"), input).toFile())
                    .redirectOutput(output.toFile())
                    .start();
            var ended = process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS);
            if (!ended || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new AssertionError(String.join(" ", words)
                        + (ended
                                ? " exited with code " + process.exitValue()
                                : " did not exit within " + DEADLINE_SECONDS + " s")
                        + "\n" + Files.readString(output));
            }
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(words.getFirst() + " cannot be run: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted in " + words, e);
        }
    }

    /** Removes the program. */
    @Override
    public void close() {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
