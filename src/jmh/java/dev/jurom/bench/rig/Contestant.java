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

/** The running process of a {@link Subject}. It carries out rounds when told to, else it sleeps. */
final class Contestant implements AutoCloseable {

    private static final long ROUND_DEADLINE_SECONDS = 60;
    private static final int MAX_OPERATIONS = 10_000_000;
    private static final int MAX_PARTS = 8;
    private static final int MIN_OPERATIONS_OF_PART = 1000;

    private final Subject subject;
    private final Process process;
    private final BufferedReader input;
    private final PrintStream output;
    private int operations = 1; // of a round

    private Contestant(Subject subject, Process process) {
        this.subject = subject;
        this.process = process;
        this.input = process.inputReader();
        this.output = new PrintStream(process.getOutputStream(), true);
    }

    /** Starts a process, with more in its environment, and waits until it is ready. */
    static Contestant start(Subject subject, Map<String, String> environment) {
        var builder = new ProcessBuilder(subject.command()).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(subject.environment());
        builder.environment().putAll(environment);
        try {
            var contestant = new Contestant(subject, builder.start());
            contestant.expectReady();
            return contestant;
        } catch (IOException e) {
            throw new UncheckedIOException(subject.name() + " could not be started", e);
        }
    }

    Subject subject() {
        return subject;
    }

    /** The process's id. */
    long pid() {
        return process.pid();
    }

    /** Changes what the rounds to come are like, as {@code Rounds} has it. */
    void change(String what, int value) {
        output.println(what + " " + value);
        expectReady();
        operations = 1;
    }

    private void expectReady() {
        var word = readLine();
        if (!word.equals("ready")) {
            throw new IllegalStateException(subject.name() + " says \"" + word + "\" where \"ready\" is due");
        }
    }

    /** Runs until the subject's warm-up is over, and chooses the length of a round. */
    void warmUp() {
        warmUp(subject.warmUp());
    }

    /** The same with a warm-up of another length. */
    void warmUp(Duration time) {
        var deadline = System.nanoTime() + time.toNanos();
        do {
            var rate = round(operations).rate();
            operations = (int) Math.clamp(rate * subject.round().toNanos() / 1e9, 1, MAX_OPERATIONS);
        } while (System.nanoTime() < deadline);
    }

    /**
     * Carries out a round of the length that the warm-up has found, in parts if it has many
     * operations: who was not running for a while then spoils a part, and not the round.
     */
    Round round() {
        var parts = Math.clamp(operations / MIN_OPERATIONS_OF_PART, 1, MAX_PARTS);
        return Round.median(
                Stream.generate(() -> round(operations / parts)).limit(parts).toList());
    }

    /** Carries out a round of so many operations. */
    Round round(int count) {
        return Round.parse(ask(count));
    }

    /** Carries out a round of so many operations; gives its answer as it is. */
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
            throw new IllegalStateException(subject.name() + " gave no answer", e.getCause());
        }
    }

    private String readLineNow() {
        try {
            var line = input.readLine();
            if (line == null) {
                throw new IllegalStateException(subject.name() + " has ended: " + String.join(" ", subject.command()));
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
