// SPDX-License-Identifier: Apache-2.0
package dev.jurom.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A JVM of its own, with the module path of this one, for programs that could crash it or that are
 * to be killed. The program is a class of the tests with a {@code main} method.
 */
public final class ForkedJvm implements AutoCloseable {

    /** The flag without which jurom may not call native code. */
    public static final String NATIVE_ACCESS = "--enable-native-access=dev.jurom";

    private static final long DEADLINE_SECONDS = 180;

    private final Process process;
    private final Path output;

    /** What a program left behind. */
    public record Result(int exitCode, String output) {
    }

    private ForkedJvm(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Starts a program with the usual flags and some more. */
    public static ForkedJvm start(Class<?> program, String... flags) {
        var all = new ArrayList<>(List.of(NATIVE_ACCESS));
        all.addAll(List.of(flags));
        return startBare(program, all.toArray(String[]::new));
    }

    /** Starts a program with nothing but the given flags. */
    public static ForkedJvm startBare(Class<?> program, String... flags) {
        try {
            var output = Files.createTempFile("jurom-forked", ".out");
            var process = new ProcessBuilder(command(program, flags))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            return new ForkedJvm(process, output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a program to its end. */
    public static Result run(Class<?> program, String... flags) {
        try (var jvm = start(program, flags)) {
            return jvm.await();
        }
    }

    /** The command line of a program with nothing but the given flags, for a launcher to run. */
    public static List<String> command(Class<?> program, String... flags) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:-CreateCoredumpOnCrash"));
        command.addAll(List.of(flags));
        command.addAll(List.of("--module-path", modulePath(), "--patch-module",
                "dev.jurom=" + testClasses(), "--add-modules", "ALL-MODULE-PATH"));
        command.addAll(List.of("--module", "dev.jurom/" + program.getName()));
        return command;
    }

    private static String modulePath() {
        return location(dev.jurom.runtime.DocaRuntime.class) + ":"
                + location(picocli.CommandLine.class)
                + ":" + location(org.HdrHistogram.Histogram.class);
    }

    private static String testClasses() {
        return Command.ROOT.resolve("target/test-classes").toString();
    }

    private static String location(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .toString();
    }

    /** The process. */
    public ProcessHandle process() {
        return process.toHandle();
    }

    /** What the program has printed so far. */
    public String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the program's end; fails after three minutes. */
    public Result await() {
        try {
            if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("still running after " + DEADLINE_SECONDS + " s:\n"
                        + output());
            }
            return new Result(process.exitValue(), output());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS);
            Files.deleteIfExists(output);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
