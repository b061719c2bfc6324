// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.IdleStrategy;
import dev.jurom.Urom;
import dev.jurom.UromConfiguration;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.plugin.graph.GraphPlugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code scripts/bench engines}: callers whose workers share one engine, or have one each. */
@Command(
        name = "engines",
        mixinStandardHelpOptions = true,
        description = "Measure blocking calls of several threads, each to its own worker: the workers are of one Urom,"
                + " which has one engine and its lock, or of one Urom each. In a round, both are open and run in turn for"
                + " slices of time. Prints calls per second and the ratio of separate to shared engines; with one caller,"
                + " both are the same, and the ratio shows the accuracy. Threads and workers are not pinned.")
final class EnginesCommand implements Runnable {

    private static final double NANOS = 1e9;
    private static final int WARM_UP_SLICES = 4; // the start from idle differs from steady calls

    @Option(names = "--rounds", defaultValue = "10", description = "Number of rounds (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--slices",
            defaultValue = "4",
            description = "Number of slices of each of the two in a round (default: ${DEFAULT-VALUE}).")
    private int slices;

    @Option(
            names = "--millis",
            defaultValue = "200",
            description = "Duration of a slice in milliseconds (default: ${DEFAULT-VALUE}).")
    private int millis;

    @Option(
            names = "--callers",
            split = ",",
            defaultValue = "1,2,4,8",
            description = "Numbers of calling threads and workers (default: ${DEFAULT-VALUE}).")
    private List<Integer> callers;

    private record Row(int callers, IdleStrategy idle) {}

    private record Round(double shared, double separate) {}

    @Override
    public void run() {
        var results = new LinkedHashMap<Row, List<Round>>();
        var loads = new ArrayList<Double>();
        for (var round = -1; round < rounds; round++) {
            for (var idle : List.of(IdleStrategy.SPIN_THEN_WAIT, IdleStrategy.WAIT)) {
                for (var count : callers) {
                    var result = measure(new Row(count, idle));
                    if (round >= 0) { // the first round warms up
                        results.computeIfAbsent(new Row(count, idle), key -> new ArrayList<>())
                                .add(result);
                    }
                }
            }
            loads.add(load());
        }
        var load = Spread.of(loads);
        System.out.printf(
                "%s; load average %.1f (quartiles %.1f to %.1f); %d rounds of %d slices of %d ms%n",
                Machine.cores(), load.median(), load.lower(), load.upper(), rounds, slices, millis);
        System.out.println("callers idle strategy   shared calls/s  separate calls/s  separate / shared (quartiles)");
        results.forEach(EnginesCommand::print);
    }

    private static void print(Row row, List<Round> all) {
        var ratio = Spread.of(
                all.stream().map(round -> round.separate / round.shared).toList());
        System.out.printf(
                "%7d %-14s %,15.0f %,17.0f  %.2f (%.2f to %.2f)%n",
                row.callers,
                row.idle,
                Spread.of(all.stream().map(Round::shared).toList()).median(),
                Spread.of(all.stream().map(Round::separate).toList()).median(),
                ratio.median(),
                ratio.lower(),
                ratio.upper());
    }

    /** Returns the load average of the last minute, which includes this program. */
    private static double load() {
        try {
            return Double.parseDouble(Files.readString(Path.of("/proc/loadavg")).split(" ")[0]);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Round measure(Row row) {
        try (var shared = Callers.open(row, 1);
                var separate = Callers.open(row, row.callers)) {
            var sums = new double[2];
            for (var slice = -WARM_UP_SLICES; slice < slices; slice++) {
                for (var i = 0; i < 2; i++) {
                    var isShared = (slice + i) % 2 == 0; // each is first in every other slice
                    var rate = run(isShared ? shared.workers : separate.workers, Duration.ofMillis(millis));
                    if (slice >= 0) {
                        sums[isShared ? 0 : 1] += rate;
                    }
                }
            }
            return new Round(sums[0] / slices, sums[1] / slices);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The workers of the callers, which are distributed over connections. */
    private record Callers(List<Urom> uroms, List<Worker> workers) implements AutoCloseable {

        static Callers open(Row row, int engines) {
            var callers = new Callers(new ArrayList<>(), new ArrayList<>());
            var configuration =
                    UromConfiguration.builder().idleStrategy(row.idle).build();
            for (var i = 0; i < engines; i++) {
                callers.uroms.add(Urom.open(configuration));
            }
            for (var i = 0; i < row.callers; i++) {
                callers.workers.add(callers.uroms
                        .get(i % engines)
                        .startWorkerAsync(WorkerConfiguration.of(GraphPlugin.NAME))
                        .join());
            }
            return callers;
        }

        @Override
        public void close() {
            uroms.forEach(Urom::close);
        }
    }

    /** Returns the calls per second of all callers. */
    private static double run(List<Worker> workers, Duration duration) throws InterruptedException {
        var calls = new long[workers.size()];
        var begin = System.nanoTime();
        var end = begin + duration.toNanos();
        var threads = new ArrayList<Thread>();
        for (var i = 0; i < calls.length; i++) {
            var number = i;
            threads.add(Thread.ofPlatform()
                    .start(() -> calls[number] = CallersCommand.callUntil(workers.get(number), number, end)));
        }
        for (var thread : threads) {
            thread.join();
        }
        return Arrays.stream(calls).sum() / ((System.nanoTime() - begin) / NANOS);
    }
}
