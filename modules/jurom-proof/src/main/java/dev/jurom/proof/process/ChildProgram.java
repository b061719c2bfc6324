// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.process;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A program that answers each line with lines of which the last is {@link #END}. It ends with its
 * standard input. Of one thread.
 */
public final class ChildProgram implements AutoCloseable {

    /** The line behind an answer. */
    public static final String END = ".";

    private static final String GONE = "\0"; // behind all output
    private static final Duration LEAVING = Duration.ofSeconds(20);

    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final PrintStream input;

    private ChildProgram(Process process) {
        this.process = process;
        input = new PrintStream(process.getOutputStream(), true);
        Thread.ofVirtual().start(() -> readAll(process.inputReader()));
    }

    /** Starts it; what it says on standard error goes to this process's. */
    public static ChildProgram start(ProcessBuilder builder) throws IOException {
        return new ChildProgram(
                builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    private void readAll(BufferedReader output) {
        try (output) {
            output.lines().forEach(lines::add);
        } catch (IOException | java.io.UncheckedIOException e) {
            // It has ended.
        } finally {
            lines.add(GONE);
        }
    }

    /** The id of its process. */
    public long pid() {
        return process.pid();
    }

    /** Whether its process runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Kills it. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Says a line and waits for the whole answer. */
    public List<String> ask(String line, Duration patience) throws InterruptedException {
        input.println(line);
        var answer = new ArrayList<String>();
        var deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            var next = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (next == null || next.equals(GONE)) {
                throw new CommandFailure(
                        ExitCode.LOST,
                        "The child program " + pid()
                                + (next == null
                                        ? " did not answer \"" + line + "\" within " + patience.toSeconds() + " s"
                                        : " ended instead of answering \"" + line + "\""));
            }
            if (next.equals(END)) {
                return answer;
            }
            answer.add(next);
        }
    }

    @Override
    public void close() {
        input.close();
        try {
            if (!process.waitFor(LEAVING.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
