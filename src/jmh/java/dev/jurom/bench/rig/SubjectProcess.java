// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The running process of a {@link Subject}, which executes rounds on request and otherwise sleeps. */
final class SubjectProcess implements AutoCloseable {

    private static final long ROUND_DEADLINE_SECONDS = 60;
    private static final int MAX_OPERATIONS = 10_000_000;
    private static final int MAX_PARTS = 8;
    private static final int MIN_OPERATIONS_OF_PART = 1000;

    private final Subject subject;
    private final Process process;
    private final BufferedReader input;
    private final PrintStream output;
    private int operations = 1; // per round

    private SubjectProcess(Subject subject, Process process) {
        this.subject = subject;
        this.process = process;
        this.input = process.inputReader();
        this.output = new PrintStream(process.getOutputStream(), true);
    }

    /** Starts a process with additional environment variables and waits until it is ready. */
    static SubjectProcess start(Subject subject, Map<String, String> environment) {
        var builder = new ProcessBuilder(subject.command()).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(subject.environment());
        builder.environment().putAll(environment);
        try {
            var process = new SubjectProcess(subject, builder.start());
            process.expectReady();
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + subject.name(), e);
        }
    }

    Subject subject() {
        return subject;
    }

    /** Returns the process id. */
    long pid() {
        return process.pid();
    }

    /** Changes a parameter of later rounds; see {@code Rounds}. */
    void change(String parameter, int value) {
        output.println(parameter + " " + value);
        expectReady();
        operations = 1;
    }

    private void expectReady() {
        var word = readLine();
        if (!word.equals("ready")) {
            throw new IllegalStateException(subject.name() + " printed \"" + word + "\" instead of \"ready\"");
        }
    }

    /** Executes the warm-up of the subject and determines the number of operations per round. */
    void warmUp() {
        warmUp(subject.warmUp());
    }

    /** Executes a warm-up of the given duration. */
    void warmUp(Duration time) {
        var deadline = System.nanoTime() + time.toNanos();
        do {
            var rate = round(operations).rate();
            operations = (int) Math.clamp(rate * subject.round().toNanos() / 1e9, 1, MAX_OPERATIONS);
        } while (System.nanoTime() < deadline);
    }

    /**
     * Executes a round with the number of operations determined by the warm-up. Long rounds are executed in
     * parts, so that a preemption affects a part only.
     */
    Round round() {
        var parts = Math.clamp(operations / MIN_OPERATIONS_OF_PART, 1, MAX_PARTS);
        return Round.median(
                Stream.generate(() -> round(operations / parts)).limit(parts).toList());
    }

    /** Executes a round of the given number of operations. */
    Round round(int count) {
        return Round.parse(ask(count));
    }

    /** Executes a round of the given number of operations and returns the unparsed answer. */
    String ask(int count) {
        output.println("round " + count);
        return readLine();
    }

    private String readLine() {
        try {
            return CompletableFuture.supplyAsync(this::readLineNow)
                    .orTimeout(ROUND_DEADLINE_SECONDS, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            throw new IllegalStateException(subject.name() + " did not answer", e.getCause());
        }
    }

    private String readLineNow() {
        try {
            var line = input.readLine();
            if (line == null) {
                throw new IllegalStateException(subject.name() + " exited: " + String.join(" ", subject.command()));
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        output.close();
        try {
            if (process.waitFor(10, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
