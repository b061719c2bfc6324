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

/** A host, src/test/c/kills/kill_host.c: told what to do, it says what happens to it, and when. */
public final class KillHost implements AutoCloseable {

    /** Beside which a host is lost: what should take milliseconds, on a loaded machine. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final String LOST = "lost";

    private final Path log;
    private final Process process;
    private final PrintStream orders;
    private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();

    /**
     * What a host said: a word, and the numbers behind it.
     *
     * @param word as kill_host.c lists them; {@code lost}: it has ended, or says nothing
     * @param words all of the line
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

    /** What came of its commands so far. */
    public record Load(long answers, long wrong, long failures, long slowestNanos, long inFlight, long process) {}

    /** What it is to do all the time. */
    public record Work(int commands, int bytes, int restMicros, boolean held) {}

    KillHost(NativePrograms programs, Path serviceFile, Path log, boolean sleeps, long seed) throws IOException {
        this(programs, serviceFile, log, sleeps, seed, "worker_puppet");
    }

    /** A host whose worker has this plugin, {@code worker_puppet} or {@code worker_graph}. */
    public KillHost(NativePrograms programs, Path serviceFile, Path log, boolean sleeps, long seed, String plugin)
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
        orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread.ofPlatform().daemon().name("events of host " + process.pid()).start(this::read);
    }

    private void read() {
        try (var lines = new BufferedReader(process.inputReader())) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                events.add(Event.of(line));
            }
        } catch (IOException e) {
            // Its end, which is seen below.
        }
        events.add(Event.of(LOST));
    }

    public long pid() {
        return process.pid();
    }

    /** Has it be a host of a worker; 0: of a new one. */
    public void open(long id, Work work) {
        order("open " + id + " " + work.commands() + " " + work.bytes() + " " + work.restMicros() + " "
                + (work.held() ? 1 : 0));
    }

    public void order(String order) {
        orders.println(order);
    }

    /** The next thing that happens to it, of these; others are passed over. */
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

    /** Something that must happen now. */
    public Event expect(String word) throws InterruptedException {
        var event = await(Set.of(word, "refused", "gone", "service-gone"), PATIENCE);
        if (!event.is(word)) {
            throw new IllegalStateException("Host " + pid() + " was to say \"" + word + "\" and said " + event.words()
                    + "; its log ends with: " + lastWords());
        }
        return event;
    }

    private String lastWords() {
        try {
            var lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
        } catch (IOException e) {
            return "nothing that can be read";
        }
    }

    /** Whether nothing has happened to it that it has not been asked for. */
    public boolean isUndisturbed() {
        return events.isEmpty() && process.isAlive();
    }

    /** How its commands went; the slowest since it was asked last. */
    public Load look() throws InterruptedException {
        order("look");
        var event = expect("look");
        return new Load(
                event.number(1), event.number(2), event.number(3), event.number(4), event.number(5), event.number(6));
    }

    /** Waits until it has had so many answers more. */
    public Load awaitAnswers(long more) throws InterruptedException {
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        var first = look();
        var now = first;
        while (now.answers() < first.answers() + more) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(
                        "Host " + pid() + " has had no answer for " + PATIENCE.toSeconds() + " s: " + now);
            }
            Thread.sleep(1);
            var next = look();
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

    /** Kills it, and waits until it has ended. */
    void kill() throws InterruptedException {
        SignalSender.send(pid(), SignalSender.KILL);
        process.waitFor();
    }

    @Override
    public void close() {
        SignalSender.send(pid(), SignalSender.CONTINUE);
        order("quit");
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
