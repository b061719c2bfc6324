// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.Urom;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.bench.measurement.JavaProgram;
import dev.jurom.bench.measurement.WaitOffload;
import dev.jurom.bench.measurement.WaitOffload.Notice;
import dev.jurom.bench.measurement.WaitOffload.Wait;
import dev.jurom.bench.measurement.WaitPlugin;
import dev.jurom.bench.measurement.WaitPlugin.Action;
import dev.jurom.bench.measurement.WaitPlugin.Cause;
import dev.jurom.bench.measurement.WaitingHost;
import dev.jurom.core.DocaException;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.service.EmbeddedService;
import dev.jurom.worker.internal.PluginFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code scripts/bench cancellation}: commands whose callers leave. */
@Command(
        name = "cancellation",
        mixinStandardHelpOptions = true,
        description = "Measure what happens to a command after its caller has timed out, was interrupted, has cancelled"
                + " its future or was killed, and the cost of a deadline. Prints medians.")
final class CancellationCommand implements Callable<Integer> {

    private static final long SETTLE_MILLIS = 50; // until a command is where it is to be, and the timeout
    private static final long START_MILLIS = 20; // until the worker executes a command
    private static final long BLOCK_MILLIS = START_MILLIS + SETTLE_MILLIS + 100; // of a command before another
    private static final Duration LONG = Duration.ofHours(1);
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);
    private static final int CALLS = 1000; // of each kind, in turn
    private static final int TURNS = 20; // per round
    private static final double MILLI = 1e6; // nanoseconds

    /** Where the command is when its caller leaves. */
    private enum Place {
        WAITING("waits for a slot", Action.WORK),
        SENT("behind one of 100 ms", Action.WORK),
        RUNNING("runs inline", Action.WORK),
        DEFERRED("deferred", Action.HOLD);

        private final String label;
        private final Action action;

        Place(String label, Action action) {
            this.label = label;
            this.action = action;
        }
    }

    private enum Event {
        TIME_OUT("timeout"),
        INTERRUPT("interrupt"),
        CANCEL("cancelled future"),
        DEATH("host is killed");

        private final String label;

        Event(String label) {
            this.label = label;
        }
    }

    /** The result of one execution. Times are in milliseconds since the caller has left. */
    private record Outcome(
            OptionalDouble thrown, OptionalDouble free, OptionalDouble noticed, Cause cause, String exception) {}

    /** The exception of a caller, when the caller left, and when it continued. */
    private record Departure(String exception, long time, long thrown) {}

    @Option(names = "--rounds", defaultValue = "9", description = "Number of rounds (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Override
    public Integer call() throws Exception {
        var folder = Files.createTempDirectory("jurom-bench");
        try {
            var library = Path.of(System.getProperty("jurom.bench.programs"), "worker_wait.so");
            Files.copy(library, folder.resolve("worker_wait.so"));
            PluginFolder.writeLinked(folder, WaitPlugin.class);
            try (var service = EmbeddedService.open(
                    usual -> usual.toBuilder().plugins(folder).build())) {
                var table = new Table(
                        "command",
                        "plugin",
                        "event",
                        "caller continues",
                        "slot is free",
                        "plugin is notified",
                        "by",
                        "exception");
                add(table, "C", service, "worker_wait");
                add(table, "Java", service, WaitPlugin.NAME);
                System.out.println(table);
                System.out.println(deadlines());
            }
        } finally {
            try (var files = Files.walk(folder)) {
                for (var file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(file);
                }
            }
        }
        return 0;
    }

    /** Two hosts use one worker: the callers of one of them leave. */
    private void add(Table table, String language, EmbeddedService service, String plugin) throws Exception {
        var offload = WaitOffload.of(plugin);
        try (var observing = Urom.open();
                var leaving = Urom.open();
                var observer = observing.startWorker(WorkerConfiguration.of(plugin));
                var leaver = leaving.startWorker(WorkerConfiguration.builder(plugin)
                        .id(observer.id())
                        .tasks(1)
                        .build())) {
            for (var place : Place.values()) {
                for (var event : Event.values()) {
                    if (place == Place.WAITING && event == Event.DEATH) {
                        continue; // the command has never left its host
                    }
                    var outcomes = new ArrayList<Outcome>();
                    for (var round = 0; round < rounds; round++) {
                        outcomes.add(
                                event == Event.DEATH
                                        ? kill(service, observer, offload, place)
                                        : leave(observer, leaver, offload, place, event));
                    }
                    table.row(
                            place.label,
                            language,
                            event.label,
                            text(outcomes.stream().map(Outcome::thrown).toList()),
                            text(outcomes.stream().map(Outcome::free).toList()),
                            text(outcomes.stream().map(Outcome::noticed).toList()),
                            text(outcomes, outcome -> text(outcome.cause())),
                            text(outcomes, Outcome::exception));
                }
            }
        }
    }

    private static Outcome leave(
            Worker observer, Worker leaver, Offload<Wait, Notice> offload, Place place, Event event) throws Exception {
        var before = CompletableFuture.<Notice>completedFuture(null);
        if (place == Place.WAITING || place == Place.SENT) {
            var blocked = place == Place.WAITING ? leaver : observer;
            before = block(blocked, offload);
        }
        var departure = switch (event) {
            case TIME_OUT -> timeOut(leaver, offload, place);
            case INTERRUPT -> interrupt(leaver, offload, place);
            default -> cancel(leaver, offload, place);
        };
        if (place == Place.WAITING) {
            before.join();
        }
        var probe = leaver.trySubmit(offload, new Wait(Action.NOTICE, 0));
        while (probe.isEmpty()) {
            requirePatience(departure.time());
            Thread.onSpinWait();
            probe = leaver.trySubmit(offload, new Wait(Action.NOTICE, 0));
        }
        var free = since(departure.time(), System.nanoTime());
        var notice = probe.get().join();
        before.join();
        return new Outcome(
                since(departure.time(), departure.thrown()),
                place == Place.WAITING ? OptionalDouble.empty() : free,
                time(departure, notice),
                notice.cause(),
                departure.exception());
    }

    /** Occupies the worker and a slot of this host. */
    private static CompletableFuture<Notice> block(Worker worker, Offload<Wait, Notice> offload)
            throws InterruptedException {
        var answer = worker.submit(offload, new Wait(Action.BLOCK, BLOCK_MILLIS));
        Thread.sleep(START_MILLIS);
        return answer;
    }

    private static Wait command(Place place) {
        return new Wait(place.action, LONG.toMillis());
    }

    /** The caller leaves at its deadline, shortly before the exception. */
    private static Departure timeOut(Worker leaver, Offload<Wait, Notice> offload, Place place)
            throws InterruptedException {
        var timeout = Duration.ofMillis(SETTLE_MILLIS);
        var left = System.nanoTime() + timeout.toNanos();
        try {
            leaver.call(offload, command(place), timeout);
            throw new IllegalStateException("The command was answered before its timeout");
        } catch (DocaException e) {
            return new Departure(e.error().name(), left, System.nanoTime());
        }
    }

    private static Departure interrupt(Worker leaver, Offload<Wait, Notice> offload, Place place) throws Exception {
        var departure = new CompletableFuture<Departure>();
        var left = new AtomicLong();
        var caller = Thread.ofPlatform().start(() -> {
            try {
                leaver.call(offload, command(place), LONG);
                throw new IllegalStateException("The command was answered before the interrupt");
            } catch (InterruptedException | RuntimeException e) {
                var thrown = System.nanoTime();
                departure.complete(new Departure(e.getClass().getSimpleName(), left.get(), thrown));
            }
        });
        Thread.sleep(SETTLE_MILLIS);
        left.set(System.nanoTime());
        caller.interrupt();
        return departure.get(PATIENCE, TimeUnit.NANOSECONDS);
    }

    private static Departure cancel(Worker leaver, Offload<Wait, Notice> offload, Place place)
            throws InterruptedException {
        var answer = leaver.submit(offload, command(place));
        Thread.sleep(SETTLE_MILLIS);
        var left = System.nanoTime();
        answer.cancel(false);
        return new Departure(CancellationException.class.getSimpleName(), left, System.nanoTime());
    }

    /** Kills a process that has sent a command. Its slot ends with it. */
    private static Outcome kill(EmbeddedService service, Worker observer, Offload<Wait, Notice> offload, Place place)
            throws Exception {
        var builder = new ProcessBuilder(JavaProgram.command(
                        WaitingHost.class.getName(),
                        List.of(offload.plugin(), Long.toUnsignedString(observer.id()), place.action.name())))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment()
                .put("DOCA_UROM_SERVICE_FILE", service.serviceFile().toString());
        var process = builder.start();
        var before = CompletableFuture.<Notice>completedFuture(null);
        try (var output = process.inputReader();
                var input = new PrintStream(process.getOutputStream(), true)) {
            expectLine(output);
            if (place == Place.SENT) {
                before = block(observer, offload);
            }
            input.println();
            expectLine(output);
            Thread.sleep(SETTLE_MILLIS);
        } finally {
            process.destroyForcibly();
        }
        var left = System.nanoTime();
        before.join();
        var notice = observer.call(offload, new Wait(Action.NOTICE, 0));
        while (notice.cause() == Cause.NONE) {
            requirePatience(left);
            notice = observer.call(offload, new Wait(Action.NOTICE, 0));
        }
        return new Outcome(
                OptionalDouble.empty(), OptionalDouble.empty(), since(left, notice.time()), notice.cause(), "none");
    }

    private static void expectLine(BufferedReader output) throws IOException {
        if (output.readLine() == null) {
            throw new IOException("The host to be killed has ended before its command");
        }
    }

    private static void requirePatience(long since) {
        if (System.nanoTime() - since > PATIENCE) {
            throw new IllegalStateException(
                    "The worker has not ended a command for " + TimeUnit.NANOSECONDS.toSeconds(PATIENCE) + " s");
        }
    }

    private static OptionalDouble time(Departure departure, Notice notice) {
        return notice.cause() == Cause.NONE ? OptionalDouble.empty() : since(departure.time(), notice.time());
    }

    private static OptionalDouble since(long begin, long end) {
        return OptionalDouble.of((end - begin) / MILLI);
    }

    private static String text(Cause cause) {
        return switch (cause) {
            case NONE -> "not notified";
            case NOT_WANTED -> "isWanted";
            case CANCELLED -> "onCancel";
            case HOST_LEFT -> "hostLeft";
        };
    }

    private static String text(List<OptionalDouble> times) {
        var sorted =
                times.stream().flatMapToDouble(OptionalDouble::stream).sorted().toArray();
        return sorted.length == 0 ? "-" : String.format(Locale.ROOT, "%.2f ms", sorted[sorted.length / 2]);
    }

    private static String text(List<Outcome> outcomes, Function<Outcome, String> part) {
        return String.join(" or ", new TreeSet<>(outcomes.stream().map(part).toList()));
    }

    /** A way to call a command that is answered at once. */
    private interface Echo {
        void call() throws InterruptedException;
    }

    /** Measures interleaved calls with and without a deadline, and twice without one, which shows the noise. */
    private Table deadlines() throws InterruptedException {
        var table = new Table("round trip", "p50 relative to a call without a deadline", "quartiles of the rounds");
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            Echo without = () -> worker.call(GraphPlugin.LOOPBACK, 1L);
            Echo with = () -> worker.call(GraphPlugin.LOOPBACK, 1L, LONG);
            var echoes = List.of(without, without, with);
            var same = new double[rounds];
            var ratios = new double[rounds];
            for (var round = -1; round < rounds; round++) { // the first round warms up
                var medians = medians(echoes);
                if (round >= 0) {
                    same[round] = medians[1] / medians[0];
                    ratios[round] = medians[2] / medians[0];
                }
            }
            addRatios(table, "without a deadline, again", same);
            addRatios(table, "with a deadline", ratios);
        }
        return table;
    }

    private static double[] medians(List<Echo> echoes) throws InterruptedException {
        var times = new long[echoes.size()][CALLS * TURNS];
        for (var turn = 0; turn < TURNS; turn++) {
            for (var kind = 0; kind < echoes.size(); kind++) {
                for (var i = 0; i < CALLS; i++) {
                    var begin = System.nanoTime();
                    echoes.get(kind).call();
                    times[kind][turn * CALLS + i] = System.nanoTime() - begin;
                }
            }
        }
        return Arrays.stream(times)
                .mapToDouble(all -> Arrays.stream(all).sorted().toArray()[all.length / 2])
                .toArray();
    }

    private static void addRatios(Table table, String label, double[] ratios) {
        Arrays.sort(ratios);
        table.row(
                label,
                String.format(Locale.ROOT, "%.3f", ratios[ratios.length / 2]),
                String.format(Locale.ROOT, "%.3f to %.3f", ratios[ratios.length / 4], ratios[ratios.length * 3 / 4]));
    }
}
