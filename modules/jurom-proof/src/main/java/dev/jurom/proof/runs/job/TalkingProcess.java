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

/** A process of a job that is told lines and says lines. What it prints on standard error is kept. */
final class TalkingProcess implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final String name;
    private final Process process;

    private TalkingProcess(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    /**
     * Starts one.
     *
     * @param name for people; its standard error goes to NAME.err in the directory
     * @param directory of the job
     * @param variables added to its environment
     * @param command what to run
     * @param lines takes what it says; and null when it says no more
     */
    static TalkingProcess start(
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
            Thread.ofPlatform().daemon().name("lines of " + name).start(() -> read(process, name, lines));
            return new TalkingProcess(name, process);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The program " + command.getFirst() + " of a run cannot be started: " + e.getMessage(), e);
        }
    }

    private static void read(Process process, String name, BlockingQueue<String> lines) {
        try (var reader = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (var line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            // It has ended, which is said next.
        }
        lines.add("gone name=" + name + " status=" + status(process) + " pid=" + process.pid());
    }

    /** What it ended with; above 128: by that signal, and 128. */
    private static String status(Process process) {
        try {
            return process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                    ? Integer.toString(process.exitValue())
                    : "none";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "none";
        }
    }

    /** Tells it a line; one that has ended does not hear it. */
    void tell(String line) {
        try {
            var output = process.getOutputStream();
            output.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            output.flush();
        } catch (IOException e) {
            // Its end is told in its own line.
        }
    }

    long id() {
        return process.pid();
    }

    boolean lives() {
        return process.isAlive();
    }

    /** Asks it to end (SIGTERM) and waits; false if it had to be killed. */
    boolean end() {
        process.destroy();
        return awaitEnd();
    }

    /** Ends its input and waits for its end; false if it had to be killed. */
    boolean dismiss() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // It has ended.
        }
        return awaitEnd();
    }

    private boolean awaitEnd() {
        try {
            if (process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
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

    /** Kills it, and waits until the kernel has taken it away. */
    @Override
    public void close() {
        process.destroyForcibly()
                .onExit()
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    @Override
    public String toString() {
        return name + " " + process.pid();
    }
}
