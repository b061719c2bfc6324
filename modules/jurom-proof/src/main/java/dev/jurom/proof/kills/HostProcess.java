// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.kills;

import dev.jurom.proof.process.NativePrograms;
import dev.jurom.proof.process.SignalSender;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A host process, src/test/c/kills/kill_host.c, which executes commands and reports timestamped events. */
public final class HostProcess implements AutoCloseable {

    /** The time after which a host counts as lost. Events take milliseconds, but more on a loaded machine. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final String LOST = "lost";

    private final Path log;
    private final Process process;
    private final PrintStream commands;
    private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();

    /**
     * An event that a host reported: a word followed by numbers.
     *
     * @param word a word that kill_host.c lists, or {@code lost} if the host exited or did not respond
     * @param words all words of the line
     */
    public record Event(String word, List<String> words) {

        static Event of(String line) {
            var words = List.of(line.split(" "));
            return new Event(words.getFirst(), words);
        }

        public boolean is(String other) {
            return word.equals(other);
        }

        public long number(int index) {
            return Long.parseLong(words.get(index));
        }
    }

    /** The results of the commands so far. */
    public record Load(long answers, long wrong, long failures, long slowestNanos, long inFlight, long process) {}

    /** The continuous load of a host. */
    public record Work(int commands, int bytes, int restMicros, boolean held) {}

    HostProcess(NativePrograms programs, Path serviceFile, Path log, boolean sleeps, long seed) throws IOException {
        this(programs, serviceFile, log, sleeps, seed, "worker_puppet");
    }

    /** Starts a host whose worker has the given plugin, {@code worker_puppet} or {@code worker_graph}. */
    public HostProcess(NativePrograms programs, Path serviceFile, Path log, boolean sleeps, long seed, String plugin)
            throws IOException {
        var builder = new ProcessBuilder(
                        programs.file("tests/kills/kill_host").toString(),
                        sleeps ? "1" : "0",
                        Long.toUnsignedString(seed),
                        plugin)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("DOCA_UROM_SERVICE_FILE", serviceFile.toString());
        this.log = log;
        process = builder.start();
        commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread.ofPlatform().daemon().name("events of host " + process.pid()).start(this::read);
    }

    private void read() {
        try (var lines = new BufferedReader(process.inputReader())) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                events.add(Event.of(line));
            }
        } catch (IOException e) {
            // The process exited, which is reported below.
        }
        events.add(Event.of(LOST));
    }

    public long pid() {
        return process.pid();
    }

    /** Opens a context for a worker; 0 starts a new worker. */
    public void open(long id, Work work) {
        send("open " + id + " " + work.commands() + " " + work.bytes() + " " + work.restMicros() + " "
                + (work.held() ? 1 : 0));
    }

    public void send(String command) {
        commands.println(command);
    }

    /** Waits for the next of the given events and discards others. */
    public Event await(Set<String> words, Duration patience) throws InterruptedException {
        var deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            var event = events.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (event == null || event.is(LOST)) {
                return Event.of(LOST);
            }
            if (words.contains(event.word())) {
                return event;
            }
        }
    }

    /** Waits for an event that must be the next one. */
    public Event expect(String word) throws InterruptedException {
        var event = await(Set.of(word, "rejected", "failed", "service-failed"), PATIENCE);
        if (!event.is(word)) {
            throw new IllegalStateException("host " + pid() + " reported " + event.words() + " instead of \"" + word
                    + "\"; its log ends with: " + lastLines());
        }
        return event;
    }

    private String lastLines() {
        try {
            var lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
        } catch (IOException e) {
            return "(unreadable)";
        }
    }

    /** Returns whether the host runs and has reported no unexpected event. */
    public boolean isUndisturbed() {
        return events.isEmpty() && process.isAlive();
    }

    /** Returns the results of the commands, with the slowest answer since the previous call. */
    public Load load() throws InterruptedException {
        send("status");
        var event = expect("status");
        return new Load(
                event.number(1), event.number(2), event.number(3), event.number(4), event.number(5), event.number(6));
    }

    /** Waits until the host has received the given number of further answers. */
    public Load awaitAnswers(long more) throws InterruptedException {
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        var first = load();
        var now = first;
        while (now.answers() < first.answers() + more) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(
                        "host " + pid() + " received no answer for " + PATIENCE.toSeconds() + " s: " + now);
            }
            Thread.sleep(1);
            var next = load();
            now = new Load(
                    next.answers(),
                    next.wrong(),
                    next.failures(),
                    Math.max(now.slowestNanos(), next.slowestNanos()),
                    next.inFlight(),
                    next.process());
        }
        return now;
    }

    /** Kills the process and waits until it has exited. */
    void kill() throws InterruptedException {
        SignalSender.send(pid(), SignalSender.KILL);
        process.waitFor();
    }

    @Override
    public void close() {
        SignalSender.send(pid(), SignalSender.CONTINUE);
        send("quit");
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
