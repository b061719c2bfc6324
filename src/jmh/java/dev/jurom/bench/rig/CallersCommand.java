// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.Urom;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.bench.measurement.Cores;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.urom.CpuSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code scripts/bench callers}: threads that share the slots of one worker. */
@Command(
        name = "callers",
        mixinStandardHelpOptions = true,
        description = "Measure blocking calls of several threads to one worker with few and many slots. Prints calls"
                + " per second, the median of interleaved rounds, and the smallest and largest share of a thread.")
final class CallersCommand implements Runnable {

    private static final long NANOS = 1_000_000_000;

    @Option(names = "--rounds", defaultValue = "5", description = "Number of rounds (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--millis",
            defaultValue = "1000",
            description = "Duration of a measurement in milliseconds (default: ${DEFAULT-VALUE}).")
    private int millis;

    @Option(
            names = "--threads",
            split = ",",
            defaultValue = "8,24,200",
            description = "Numbers of calling threads (default: ${DEFAULT-VALUE}).")
    private List<Integer> threads;

    @Option(
            names = "--slots",
            split = ",",
            defaultValue = "4,16,64",
            description = "Numbers of slots of the worker (default: ${DEFAULT-VALUE}).")
    private List<Integer> slots;

    @Option(
            names = "--unpinned",
            description =
                    "Let the callers and the worker run on both cores. Otherwise, the callers run on core 0 and the"
                            + " worker on core 1.")
    private boolean unpinned;

    private record Row(boolean virtual, int threads, int tasks) {}

    private record Result(double rate, double least, double most) {}

    @Override
    public void run() {
        if (!unpinned) {
            Cores.pin(0); // threads that this thread starts inherit the affinity
        }
        var results = new LinkedHashMap<Row, List<Result>>();
        try (var urom = Urom.open()) {
            for (var round = -1; round < rounds; round++) {
                for (var row : rows()) {
                    var result = measure(urom, row);
                    if (round >= 0) { // the first round warms up
                        results.computeIfAbsent(row, key -> new ArrayList<>()).add(result);
                    }
                }
            }
        }
        System.out.println("threads        slots    calls/s   share of a thread");
        results.forEach((row, all) -> System.out.printf(
                "%3d %-8s %7d %,10.0f   %.3f to %.3f%n",
                row.threads,
                row.virtual ? "virtual" : "platform",
                row.tasks,
                median(all.stream().mapToDouble(Result::rate).toArray()),
                median(all.stream().mapToDouble(Result::least).toArray()),
                median(all.stream().mapToDouble(Result::most).toArray())));
    }

    private List<Row> rows() {
        var rows = new ArrayList<Row>();
        for (var virtual : List.of(false, true)) {
            for (var callers : threads) {
                for (var tasks : slots) {
                    rows.add(new Row(virtual, callers, tasks));
                }
            }
        }
        return rows;
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private Result measure(Urom urom, Row row) {
        var calls = new long[row.threads];
        var configuration = WorkerConfiguration.builder(GraphPlugin.NAME).tasks(row.tasks);
        if (!unpinned) {
            configuration.cpus(CpuSet.of(1));
        }
        try (var worker = urom.startWorker(configuration.build())) {
            var begin = System.nanoTime();
            var end = begin + Duration.ofMillis(millis).toNanos();
            ThreadFactory factory = row.virtual
                    ? Thread.ofVirtual().factory()
                    : Thread.ofPlatform().factory();
            var threads = new ArrayList<Thread>();
            for (var i = 0; i < row.threads; i++) {
                var number = i;
                threads.add(factory.newThread(() -> calls[number] = callUntil(worker, number, end)));
            }
            threads.forEach(Thread::start);
            for (var thread : threads) {
                thread.join();
            }
            var seconds = (double) (System.nanoTime() - begin) / NANOS;
            var all = Arrays.stream(calls).sum();
            var fair = (double) all / row.threads;
            return new Result(
                    all / seconds,
                    Arrays.stream(calls).min().orElseThrow() / fair,
                    Arrays.stream(calls).max().orElseThrow() / fair);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Calls a worker until a time of {@link System#nanoTime}, and returns the number of calls. */
    static long callUntil(Worker worker, int number, long end) {
        var calls = 0L;
        try {
            while (System.nanoTime() - end < 0) {
                var key = (long) number << Integer.SIZE | calls;
                if (worker.call(GraphPlugin.LOOPBACK, key) != key) {
                    throw new IllegalStateException("a call received the answer of another command");
                }
                calls++;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return calls;
    }
}
