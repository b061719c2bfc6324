// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionConfiguration;
import dev.jurom.compress.CompressionFormat;
import dev.jurom.compress.CompressionMode;
import dev.jurom.compress.CompressionParameters;
import dev.jurom.compress.OffloadOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;

/** Measures streams of each mode and of zstd-jni, interleaved. */
final class CompressionStreams implements AutoCloseable {

    private static final String ZSTD = "zstd-jni";
    private static final String ZSTD_WORKER = "zstd-jni, `setWorkers(1)`";
    private static final int[] LEVELS = {1, 3, 9};
    private static final int[] RATIO_LEVELS = {1, 3, 6, 9};
    private static final int[] RATIO_SIZES = {64 << 10, 256 << 10, 1 << 20};
    private static final double[] RATES = {1.2, 1.3, 1.15}; // goals of AUTO at these levels
    private static final double[] RATES_OF_SLOW_WORKERS = {0, 1, 1.1}; // 0: no goal
    private static final double[] SAVE_CPU = {0.15, 0.12, 0.06};
    private static final double AUTO_CPU = 0.5;
    private static final double READ_RATE = 0.97;
    private static final double SMALL_TIME = 0.7;
    private static final double BEST_TIME = 1.05;
    private static final int SMALL = 4 << 10;
    private static final int SMALL_STREAMS = 2000; // per round
    private static final int WRITE = 64 << 10; // bytes of a call
    private static final double MIB = 1 << 20;
    private static final double SECOND = 1e9; // nanoseconds

    private final byte[] content;
    private final int rounds;
    private final Map<CompressionMode, Compression> compressions = new LinkedHashMap<>();

    /** A stream to write or to read. Returns the number of compressed bytes. */
    private interface Work {
        long run() throws IOException;
    }

    /** The medians of a subject. The CPU time is a mean, because some kernels count it in steps of 4 ms. */
    private record Result(double seconds, double cpu, long bytes) {}

    CompressionStreams(byte[] content, int rounds, int blockSize) throws IOException {
        this.content = content;
        this.rounds = rounds;
        for (var mode : CompressionMode.values()) {
            var configuration = CompressionConfiguration.builder()
                    .mode(mode)
                    .blockSize(blockSize)
                    .build();
            compressions.put(mode, Compression.open(configuration));
        }
    }

    @Override
    public void close() {
        compressions.values().forEach(Compression::close);
    }

    /** Returns the tables of all results. */
    String measure(String cores) throws IOException {
        var table = resultTable();
        var goals = goalTable();
        for (var i = 0; i < LEVELS.length; i++) {
            var level = LEVELS[i];
            var name = writeName(level);
            var results = measure(writes(level));
            rows(table, name, results, content.length);
            goal(goals, name, "rate of AUTO", ZSTD, 1 / relativeTime(results, ZSTD), Goal.atLeast(RATES[i]));
            goal(goals, name, "CPU of AUTO", ZSTD, relativeCpu(results, "AUTO"), Goal.atMost(AUTO_CPU));
            goal(goals, name, "CPU of SAVE_CPU", ZSTD, relativeCpu(results, "SAVE_CPU"), Goal.atMost(SAVE_CPU[i]));
            best(goals, name, results);
        }
        var read = measure(reads());
        rows(table, "read it, level 3", read, content.length);
        goal(goals, "read it", "rate of AUTO", ZSTD, 1 / relativeTime(read, ZSTD), Goal.atLeast(READ_RATE));
        best(goals, "read it", read);
        var small = measure(smallWrites());
        rows(table, "stream of 4 KiB, level 3", small, (long) SMALL * SMALL_STREAMS);
        goal(goals, "stream of 4 KiB", "time of AUTO", ZSTD, relativeTime(small, ZSTD), Goal.atMost(SMALL_TIME));
        best(goals, "stream of 4 KiB", small);
        return text(cores, table, goals) + String.format("%nRatio by the size of blocks:%n%n%s", ratios());
    }

    /** Returns the tables of writes, with goals for workers of 0.4 of the speed. */
    String measureWithSlowWorkers(String cores) throws IOException {
        var table = resultTable();
        var goals = goalTable();
        for (var i = 0; i < LEVELS.length; i++) {
            var name = writeName(LEVELS[i]);
            var results = measure(writes(LEVELS[i]));
            rows(table, name, results, content.length);
            if (RATES_OF_SLOW_WORKERS[i] > 0) {
                var goal = Goal.atLeast(RATES_OF_SLOW_WORKERS[i]);
                goal(goals, name, "rate of AUTO", ZSTD, 1 / relativeTime(results, ZSTD), goal);
            }
            best(goals, name, results);
        }
        return text(cores, table, goals);
    }

    private static Table resultTable() {
        return new Table("work", "subject", "ratio", "time", "of zstd-jni", "application's CPU", "of zstd-jni");
    }

    private static Table goalTable() {
        return new Table("work", "figure", "against", "measured", "goal", "met");
    }

    private String writeName(int level) {
        return "write " + (content.length >> 20) + " MiB, level " + level;
    }

    private String text(String cores, Table table, Table goals) {
        return String.format(
                Locale.ROOT,
                "Streams, %d rounds, interleaved; %s; load average %s. Medians, and means of CPU times.%n%n%s%n%s",
                rounds,
                cores,
                Machine.load(),
                table,
                goals);
    }

    /** Returns the ratios of blocks of several sizes, and of the stream of zstd-jni. */
    private Table ratios() throws IOException {
        var table = new Table("level", "64 KiB", "256 KiB", "1 MiB", "zstd-jni's stream");
        for (var level : RATIO_LEVELS) {
            var row = new ArrayList<String>();
            row.add(Integer.toString(level));
            for (var size : RATIO_SIZES) {
                row.add(text("%.2f", (double) content.length / compressedBlocks(level, size)));
            }
            var stream = write(out -> new ZstdOutputStreamNoFinalizer(out, level));
            row.add(text("%.2f", (double) content.length / stream));
            table.row(row.toArray(String[]::new));
        }
        return table;
    }

    private long compressedBlocks(int level, int size) {
        var sum = 0L;
        for (var at = 0; at < content.length; at += size) {
            sum += Zstd.compress(Arrays.copyOfRange(content, at, Math.min(content.length, at + size)), level).length;
        }
        return sum;
    }

    private static CompressionParameters parameters(int level) {
        return CompressionParameters.of(CompressionFormat.ZSTD).withLevel(level);
    }

    private Map<String, Work> writes(int level) {
        var works = new LinkedHashMap<String, Work>();
        works.put(ZSTD, () -> write(out -> new ZstdOutputStreamNoFinalizer(out, level)));
        works.put(ZSTD_WORKER, () -> write(out -> new ZstdOutputStreamNoFinalizer(out, level).setWorkers(1)));
        compressions.forEach((mode, compression) -> works.put(
                mode.name(), () -> write(out -> new OffloadOutputStream(compression, parameters(level), out))));
        return works;
    }

    private interface Opening {
        OutputStream open(OutputStream out) throws IOException;
    }

    private long write(Opening opening) throws IOException {
        var sink = new Counter();
        try (var out = opening.open(sink)) {
            for (var at = 0; at < content.length; at += WRITE) {
                out.write(content, at, Math.min(WRITE, content.length - at));
            }
        }
        return sink.bytes;
    }

    private Map<String, Work> reads() throws IOException {
        var sink = new ByteArrayOutputStream();
        try (var out = compressions.get(CompressionMode.LOCAL).outputStream(sink)) {
            out.write(content);
        }
        var frames = sink.toByteArray();
        var works = new LinkedHashMap<String, Work>();
        works.put(ZSTD, () -> read(new ZstdInputStreamNoFinalizer(new ByteArrayInputStream(frames))));
        compressions.forEach((mode, compression) ->
                works.put(mode.name(), () -> read(compression.inputStream(new ByteArrayInputStream(frames)))));
        return works;
    }

    private long read(InputStream source) throws IOException {
        var part = new byte[WRITE];
        var sum = 0L;
        try (source) {
            for (var read = source.read(part); read >= 0; read = source.read(part)) {
                sum += read;
            }
        }
        if (sum != content.length) {
            throw new IllegalStateException("read " + sum + " bytes of " + content.length);
        }
        return sum;
    }

    private Map<String, Work> smallWrites() {
        var works = new LinkedHashMap<String, Work>();
        works.put(ZSTD, () -> smallWrites(out -> new ZstdOutputStreamNoFinalizer(out, 3)));
        compressions.forEach(
                (mode, compression) -> works.put(mode.name(), () -> smallWrites(compression::outputStream)));
        return works;
    }

    private long smallWrites(Opening opening) throws IOException {
        var sink = new Counter();
        for (var i = 0; i < SMALL_STREAMS; i++) {
            try (var out = opening.open(sink)) {
                out.write(content, i * SMALL, SMALL);
            }
        }
        return sink.bytes;
    }

    private static final class Counter extends OutputStream {

        long bytes;

        @Override
        public void write(int value) {
            bytes++;
        }

        @Override
        public void write(byte[] from, int offset, int length) {
            bytes += length;
        }
    }

    private Map<String, Result> measure(Map<String, Work> works) throws IOException {
        var seconds = new LinkedHashMap<String, List<Double>>();
        var cpu = new LinkedHashMap<String, List<Double>>();
        var bytes = new LinkedHashMap<String, Long>();
        for (var round = -2; round < rounds; round++) { // two rounds warm up
            for (var work : works.entrySet()) {
                var cpuBegin = CpuClock.nanos();
                var begin = System.nanoTime();
                bytes.put(work.getKey(), work.getValue().run());
                if (round >= 0) {
                    seconds.computeIfAbsent(work.getKey(), key -> new ArrayList<>())
                            .add((System.nanoTime() - begin) / SECOND);
                    cpu.computeIfAbsent(work.getKey(), key -> new ArrayList<>())
                            .add((CpuClock.nanos() - cpuBegin) / SECOND);
                }
            }
        }
        var results = new LinkedHashMap<String, Result>();
        seconds.forEach((name, all) -> results.put(
                name,
                new Result(
                        Spread.of(all).median(),
                        cpu.get(name).stream()
                                .mapToDouble(Double::doubleValue)
                                .average()
                                .orElseThrow(),
                        bytes.get(name))));
        return results;
    }

    private static void rows(Table table, String work, Map<String, Result> results, long size) {
        var zstd = results.get(ZSTD);
        results.forEach((name, result) -> table.row(
                work,
                name,
                text("%.2f", (double) size / result.bytes()),
                text("%.0f MiB/s", size / result.seconds() / MIB),
                text("%.2f", result.seconds() / zstd.seconds()),
                text("%.2f ms/MiB", result.cpu() * 1e3 / (size / MIB)),
                text("%.2f", result.cpu() / zstd.cpu())));
    }

    private static double relativeTime(Map<String, Result> results, String other) {
        return results.get("AUTO").seconds() / results.get(other).seconds();
    }

    private static double relativeCpu(Map<String, Result> results, String name) {
        return results.get(name).cpu() / results.get(ZSTD).cpu();
    }

    private static void best(Table goals, String work, Map<String, Result> results) {
        var best = DoubleStream.of(
                        results.get("LOCAL").seconds(),
                        results.get("OFFLOAD").seconds(),
                        results.get(ZSTD).seconds())
                .min()
                .orElseThrow();
        goal(
                goals,
                work,
                "time of AUTO",
                "the best of LOCAL, OFFLOAD and zstd-jni",
                results.get("AUTO").seconds() / best,
                Goal.atMost(BEST_TIME));
    }

    private static void goal(Table goals, String work, String figure, String against, double measured, Goal goal) {
        goals.row(
                work,
                figure,
                against,
                text("%.2f", measured),
                goal.text(CacheDomain.SEPARATE, Relation.RATIO),
                goal.verdict(CacheDomain.SEPARATE, measured));
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
