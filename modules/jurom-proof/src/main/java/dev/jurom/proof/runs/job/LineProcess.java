// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** A process that communicates by lines of text. Its standard error is appended to a file. */
final class LineProcess implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final String name;
    private final Process process;

    private LineProcess(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    /**
     * Starts a process.
     *
     * @param name the name for messages; the file NAME.err in the directory receives the standard error
     * @param directory the directory of the job
     * @param variables additional environment variables
     * @param command the command line
     * @param lines the queue for the lines of output; the last one is {@code exited ...}
     */
    static LineProcess start(
            String name,
            Path directory,
            Map<String, String> variables,
            List<String> command,
            BlockingQueue<String> lines) {
        var builder = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        directory.resolve(name + ".err").toFile()));
        builder.environment().putAll(variables);
        try {
            var process = builder.start();
            Thread.ofPlatform()
                    .inheritInheritableThreadLocals(false)
                    .daemon()
                    .name("lines of " + name)
                    .start(() -> read(process, name, lines));
            return new LineProcess(name, process);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot start the program " + command.getFirst() + " of a run: " + e.getMessage(), e);
        }
    }

    private static void read(Process process, String name, BlockingQueue<String> lines) {
        try (var reader = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (var line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            // The process exited, which is reported next.
        }
        lines.add("exited name=" + name + " status=" + status(process) + " pid=" + process.pid());
    }

    /** Returns the exit status, which is 128 plus the number of the signal if the process was killed. */
    private static String status(Process process) {
        try {
            return process.waitFor(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    ? Integer.toString(process.exitValue())
                    : "none";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "none";
        }
    }

    /** Sends a line. This method has no effect if the process has exited. */
    void send(String line) {
        try {
            var output = process.getOutputStream();
            output.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            output.flush();
        } catch (IOException e) {
            // The exit of the process is reported by a line.
        }
    }

    long id() {
        return process.pid();
    }

    boolean isRunning() {
        return process.isAlive();
    }

    /** Terminates the process (SIGTERM) and waits for its exit; returns false if it had to be killed. */
    boolean terminate() {
        process.destroy();
        return awaitExit();
    }

    /** Closes the input of the process and waits for its exit; returns false if it had to be killed. */
    boolean closeInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // The process has exited.
        }
        return awaitExit();
    }

    private boolean awaitExit() {
        try {
            if (process.waitFor(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                return true;
            }
            close();
            return false;
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Kills the process and waits for its exit. */
    @Override
    public void close() {
        process.destroyForcibly()
                .onExit()
                .orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    @Override
    public String toString() {
        return name + " " + process.pid();
    }
}
