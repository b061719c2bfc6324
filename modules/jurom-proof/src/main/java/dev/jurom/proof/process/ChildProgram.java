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
 * A child process that answers each line with lines, the last of which is {@link #END}. It exits when its
 * standard input is closed. Not thread-safe.
 */
public final class ChildProgram implements AutoCloseable {

    /** The last line of an answer. */
    public static final String END = ".";

    private static final String EXITED = "\0"; // after all output
    private static final Duration EXIT_TIME = Duration.ofSeconds(20);

    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final PrintStream input;

    private ChildProgram(Process process) {
        this.process = process;
        input = new PrintStream(process.getOutputStream(), true);
        Thread.ofVirtual().start(() -> readAll(process.inputReader()));
    }

    /** Starts the process, which inherits the standard error of this process. */
    public static ChildProgram start(ProcessBuilder builder) throws IOException {
        return new ChildProgram(
                builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    private void readAll(BufferedReader output) {
        try (output) {
            output.lines().forEach(lines::add);
        } catch (IOException | java.io.UncheckedIOException e) {
            // The process has exited.
        } finally {
            lines.add(EXITED);
        }
    }

    /** Returns the process id. */
    public long pid() {
        return process.pid();
    }

    /** Returns whether the process is running. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Kills the process. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Sends a line and waits for the complete answer. */
    public List<String> request(String line, Duration patience) throws InterruptedException {
        input.println(line);
        var answer = new ArrayList<String>();
        var deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            var next = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (next == null || next.equals(EXITED)) {
                throw new CommandFailure(
                        ExitCode.LOST,
                        "the child process " + pid()
                                + (next == null
                                        ? " did not answer \"" + line + "\" within " + patience.toSeconds() + " s"
                                        : " exited instead of answering \"" + line + "\""));
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
            if (!process.waitFor(EXIT_TIME.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
