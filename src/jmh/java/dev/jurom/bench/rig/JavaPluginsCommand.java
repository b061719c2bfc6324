// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.Urom;
import dev.jurom.UromConfiguration;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.bench.measurement.DigestPlugin;
import dev.jurom.bench.measurement.EchoPlugin;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.service.EmbeddedService;
import dev.jurom.worker.internal.PluginFolder;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code scripts/bench java-plugins}: a worker plugin in Java, relative to the plugin in C. */
@Command(
        name = "java-plugins",
        mixinStandardHelpOptions = true,
        description =
                "Measure start, latency, throughput and memory of a worker plugin in Java, interleaved with one in C.")
final class JavaPluginsCommand implements Callable<Integer> {

    private static final int SIZE = 64; // bytes of a command
    private static final int COMMANDS = 20_000; // per round
    private static final long WARM_UP = TimeUnit.SECONDS.toNanos(3); // the JVM compiles the plugin meanwhile
    private static final int WORKERS = 8;
    private static final int BULK = 1 << 16; // bytes
    private static final int MESSAGE = 2 * BULK; // maximum bytes
    private static final int DIGESTS = 5_000; // commands per round
    private static final int COMPRESSIONS = 200;
    private static final double MILLI = 1e6; // nanoseconds
    private static final double KILO = 1e3;
    private static final double PERCENT = 100;
    private static final double MIB = 1024; // KiB

    /** A plugin, the folder that it is in, and its command of 64 bytes. */
    private record Subject(String label, List<Path> folders, Offload<MemorySegment, MemorySegment> echo) {}

    @Option(
            names = "--rounds",
            defaultValue = "15",
            description = "Number of rounds of each measurement (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Override
    public Integer call() throws Exception {
        var folder = Files.createTempDirectory("jurom-bench");
        try {
            var subjects = subjects(folder);
            System.out.println(starts(subjects));
            System.out.println(latencies(subjects));
            System.out.println(throughputs(folder));
            System.out.println(memory(subjects));
        } finally {
            delete(folder);
        }
        return 0;
    }

    private static List<Subject> subjects(Path folder) throws IOException, InterruptedException {
        var classes = Path.of(EchoPlugin.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
        var plain = folder.resolve("plain");
        var trained = folder.resolve("trained");
        // A folder of classes has no AOT cache, which a worker would create.
        PluginFolder.writeLinked(Files.createDirectories(plain), EchoPlugin.class);
        PluginFolder.pack(trained, EchoPlugin.class.getName(), List.of(classes), PluginFolder.DEFAULT_OPTIONS);
        PluginFolder.train(trained, EchoPlugin.NAME);
        return List.of(
                new Subject("C", List.of(), echo(GraphPlugin.NAME)),
                new Subject("Java, default CDS", List.of(plain), echo(EchoPlugin.NAME)),
                new Subject("Java, AOT cache", List.of(trained), echo(EchoPlugin.NAME)));
    }

    private static Offload<MemorySegment, MemorySegment> echo(String plugin) {
        return Offload.of(
                plugin,
                1,
                (bytes, payload) -> {
                    MemorySegment.copy(bytes, 0, payload, 0, bytes.byteSize());
                    return bytes.byteSize();
                },
                response -> response);
    }

    private static EmbeddedService open(Subject subject) {
        return EmbeddedService.open(usual -> usual.toBuilder()
                .plugins(subject.folders().toArray(Path[]::new))
                .build());
    }

    private static Worker start(Urom urom, Subject subject) throws InterruptedException {
        return urom.startWorker(WorkerConfiguration.of(subject.echo().plugin()));
    }

    /** Measures the time from the request for a worker to its first answer; the service and its plugins are ready. */
    private Table starts(List<Subject> subjects) throws InterruptedException {
        var times = new LinkedHashMap<Subject, double[]>();
        subjects.forEach(subject -> times.put(subject, new double[rounds]));
        for (var round = 0; round < rounds; round++) {
            for (var subject : subjects) {
                try (var service = open(subject);
                        var urom = Urom.open()) {
                    start(urom, subject).close();
                    var begin = System.nanoTime();
                    try (var worker = start(urom, subject)) {
                        worker.call(subject.echo(), MemorySegment.ofArray(new long[SIZE / Long.BYTES]));
                        times.get(subject)[round] = (System.nanoTime() - begin) / MILLI;
                    }
                }
            }
        }
        var table = new Table("start to first answer", "median", "fastest");
        times.forEach((subject, all) -> {
            Arrays.sort(all);
            table.row(subject.label(), text(all[rounds / 2], "ms"), text(all[0], "ms"));
        });
        return table;
    }

    /** Measures interleaved rounds of commands, each to its own worker, as ratios to C in the same round. */
    private Table latencies(List<Subject> subjects) throws InterruptedException {
        var medians = new LinkedHashMap<Subject, List<Double>>();
        var tails = new LinkedHashMap<Subject, List<Double>>();
        var longest = new LinkedHashMap<Subject, Double>();
        for (var round = 0; round < rounds; round++) {
            var reference = new double[2];
            for (var subject : subjects) {
                try (var service = open(subject);
                        var urom = Urom.open();
                        var worker = start(urom, subject)) {
                    var end = System.nanoTime() + WARM_UP;
                    var times = times(worker, subject);
                    var stall = Arrays.stream(times).skip(1000).max().orElse(0);
                    while (System.nanoTime() < end) {
                        times = times(worker, subject);
                        stall = Math.max(stall, Arrays.stream(times).max().orElse(0));
                    }
                    Arrays.sort(times);
                    var median = times[COMMANDS / 2];
                    var tail = times[(int) (COMMANDS * (1 - 1 / PERCENT))];
                    if (subject == subjects.getFirst()) {
                        reference = new double[] {median, tail};
                    }
                    add(medians, subject, median / reference[0]);
                    add(tails, subject, tail / reference[1]);
                    longest.merge(subject, stall, Math::max);
                }
            }
        }
        var table = new Table("warm echo of 64 B", "p50 relative to C", "p99 relative to C", "longest after 1,000");
        for (var subject : subjects) {
            table.row(
                    subject.label(),
                    text(median(medians.get(subject)), ""),
                    text(median(tails.get(subject)), ""),
                    text(longest.get(subject) / MILLI, "ms"));
        }
        return table;
    }

    private static double[] times(Worker worker, Subject subject) throws InterruptedException {
        var bytes = MemorySegment.ofArray(new long[SIZE / Long.BYTES]);
        var times = new double[COMMANDS];
        for (var i = 0; i < COMMANDS; i++) {
            var begin = System.nanoTime();
            worker.call(subject.echo(), bytes);
            times[i] = System.nanoTime() - begin;
        }
        return times;
    }

    /** A plugin that computes over 64 KiB, and its folder. */
    private record Digest(String plugin, Path folder) {

        EmbeddedService open() {
            return EmbeddedService.open(usual ->
                    usual.toBuilder().plugins(folder).maxMessageSize(MESSAGE).build());
        }

        Offload<byte[], Long> offload(long operation) {
            return Offload.of(
                    plugin,
                    1,
                    (bytes, payload) -> {
                        payload.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, operation);
                        MemorySegment.copy(bytes, 0, payload, ValueLayout.JAVA_BYTE, Long.BYTES, bytes.length);
                        return Long.BYTES + bytes.length;
                    },
                    MemorySegment::byteSize);
        }
    }

    /** Measures interleaved rounds of commands of 64 KiB, as ratios of Java's throughput to C's in the same round. */
    private Table throughputs(Path folder) throws IOException, InterruptedException {
        var inC = Files.createDirectory(folder.resolve("c"));
        var library = Path.of(System.getProperty("jurom.bench.programs"), "worker_digest.so");
        Files.copy(library, inC.resolve("worker_digest.so"));
        var inJava = Files.createDirectory(folder.resolve("java"));
        PluginFolder.writeLinked(inJava, DigestPlugin.class);
        var digests = List.of(new Digest("worker_digest", inC), new Digest(DigestPlugin.NAME, inJava));
        var table = new Table("64 KiB", "Java", "C", "throughput relative to C");
        for (var operation : List.of(0L, DigestPlugin.DEFLATE)) {
            var ratios = new ArrayList<Double>();
            var rates = List.of(new ArrayList<Double>(), new ArrayList<Double>());
            for (var round = 0; round < rounds; round++) {
                for (var subject = 0; subject < digests.size(); subject++) {
                    rates.get(subject).add(rate(digests.get(subject), operation));
                }
                ratios.add(rates.get(1).getLast() / rates.get(0).getLast());
            }
            table.row(
                    operation == DigestPlugin.DEFLATE ? "deflate" : "CRC-32C",
                    text(median(rates.get(1)), "MB/s"),
                    text(median(rates.get(0)), "MB/s"),
                    text(median(ratios), ""));
        }
        return table;
    }

    /** Returns the warm throughput of one worker in MB/s. */
    private static double rate(Digest digest, long operation) throws InterruptedException {
        try (var service = digest.open();
                var urom = Urom.open(
                        UromConfiguration.builder().maxMessageSize(MESSAGE).build());
                var worker = urom.startWorker(WorkerConfiguration.of(digest.plugin()))) {
            var offload = digest.offload(operation);
            var bytes = sample();
            var count = operation == DigestPlugin.DEFLATE ? COMPRESSIONS : DIGESTS;
            var end = System.nanoTime() + WARM_UP;
            while (System.nanoTime() < end) {
                worker.call(offload, bytes);
            }
            var begin = System.nanoTime();
            for (var i = 0; i < count; i++) {
                worker.call(offload, bytes);
            }
            return (double) count * BULK * KILO / (System.nanoTime() - begin);
        }
    }

    /** Returns bytes that compress like text. */
    private static byte[] sample() {
        var random = new Random(1);
        var words = new String[512];
        Arrays.setAll(words, i -> Long.toString(random.nextLong(1 << 30), Character.MAX_RADIX) + " ");
        var text = new StringBuilder();
        while (text.length() < BULK) {
            text.append(words[(int) Math.min(511, Math.abs(random.nextGaussian()) * 128)]);
        }
        return text.substring(0, BULK).getBytes(StandardCharsets.US_ASCII);
    }

    /** Measures the memory of eight workers after 20,000 commands each; shared pages are counted by their share. */
    private static Table memory(List<Subject> subjects) throws IOException, InterruptedException {
        var table = new Table("eight workers", "PSS of each");
        for (var subject : subjects) {
            try (var service = open(subject);
                    var urom = Urom.open()) {
                var workers = new ArrayList<Worker>();
                for (var i = 0; i < WORKERS; i++) {
                    workers.add(start(urom, subject));
                    times(workers.getLast(), subject);
                }
                var sum = 0.0;
                for (var process : ProcessHandle.current().descendants().toList()) {
                    sum += pss(process);
                }
                table.row(subject.label(), text(sum / WORKERS / MIB, "MiB"));
            }
        }
        return table;
    }

    private static double pss(ProcessHandle process) throws IOException {
        for (var line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/smaps_rollup"))) {
            if (line.startsWith("Pss:")) {
                return Double.parseDouble(line.replaceAll("[^0-9]", ""));
            }
        }
        return 0;
    }

    private static void add(Map<Subject, List<Double>> values, Subject subject, double value) {
        values.computeIfAbsent(subject, none -> new ArrayList<>()).add(value);
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElse(Double.NaN);
    }

    private static String text(double value, String unit) {
        return String.format(Locale.ROOT, "%.2f %s", value, unit).strip();
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }
}
