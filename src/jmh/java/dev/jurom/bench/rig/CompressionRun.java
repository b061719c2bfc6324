// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.bench.rig.CompressionResults.Cost;
import dev.jurom.bench.rig.CompressionResults.Latency;
import dev.jurom.bench.rig.CompressionResults.Row;
import dev.jurom.compress.CompressionException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.DoubleStream;

/** Measures compression in this process and in workers, interleaved. */
final class CompressionRun {

    private static final int[] KIBIBYTES = {16, 64, 256, 1024}; // sizes of a block
    private static final int[] LEVELS = {1, 3, 9};
    private static final int LEVEL = 3; // for single blocks, and for frames that are decompressed
    private static final int DECOMPRESSED_KIBIBYTES = 256;
    private static final int KIB = 1 << 10;
    private static final int WARM_UP = 500; // repetitions, about 12 seconds
    private static final int SINGLE_BLOCKS = 64; // per round
    private static final double SECOND = 1e9; // nanoseconds

    private final MemorySegment content;
    private final int rounds;
    private final Arena arena;

    CompressionRun(MemorySegment content, int rounds, Arena arena) {
        this.content = content;
        this.rounds = rounds;
        this.arena = arena;
    }

    CompressionResults measure() throws CompressionException {
        warmUp();
        var rows = new ArrayList<Row>();
        var latencies = new ArrayList<Latency>();
        for (var kibibytes : KIBIBYTES) {
            for (var level : LEVELS) {
                rows.add(compression(kibibytes, level));
            }
            latencies.add(latency(kibibytes));
        }
        return new CompressionResults(rows, latencies, decompression(), rounds, content.byteSize());
    }

    private List<MemorySegment> blocks(int kibibytes) {
        var blocks = new ArrayList<MemorySegment>();
        var size = (long) kibibytes * KIB;
        for (var at = 0L; at < content.byteSize(); at += size) {
            blocks.add(content.asSlice(at, Math.min(size, content.byteSize() - at)));
        }
        return blocks;
    }

    /** Sends commands until the JVM has compiled their path, because the CPU time of the compiler would be counted. */
    private void warmUp() throws CompressionException {
        var blocks = blocks(KIBIBYTES[0]);
        try (var workers = new BlockCodec.InWorkers(2, LEVELS[0], KIBIBYTES[0] * KIB)) {
            for (var turn = 0; turn < WARM_UP; turn++) {
                workers.compress(blocks);
            }
        }
    }

    private Row compression(int kibibytes, int level) throws CompressionException {
        var blocks = blocks(kibibytes);
        try (var local = new BlockCodec.InProcess(level, kibibytes * KIB);
                var one = new BlockCodec.InWorkers(1, level, kibibytes * KIB);
                var two = new BlockCodec.InWorkers(2, level, kibibytes * KIB)) {
            var ratio = (double) content.byteSize() / local.compress(blocks);
            return new Row(kibibytes, level, ratio, costs(List.of(local, one, two), codec -> codec.compress(blocks)));
        }
    }

    private Row decompression() throws CompressionException {
        var size = DECOMPRESSED_KIBIBYTES * KIB;
        try (var local = new BlockCodec.InProcess(LEVEL, size);
                var one = new BlockCodec.InWorkers(1, LEVEL, size);
                var two = new BlockCodec.InWorkers(2, LEVEL, size)) {
            var frames = blocks(DECOMPRESSED_KIBIBYTES).stream()
                    .map(block -> local.frame(block, arena))
                    .toList();
            var compressed = frames.stream().mapToLong(MemorySegment::byteSize).sum();
            return new Row(
                    DECOMPRESSED_KIBIBYTES,
                    LEVEL,
                    (double) content.byteSize() / compressed,
                    costs(List.of(local, one, two), codec -> codec.decompress(frames)));
        }
    }

    /** Returns the costs of the content for each codec. */
    private List<Cost> costs(List<BlockCodec> codecs, ToLongFunction<BlockCodec> turn) {
        var seconds = new double[codecs.size()][rounds];
        var cpu = new double[codecs.size()][rounds];
        codecs.forEach(turn::applyAsLong); // warms up
        for (var round = 0; round < rounds; round++) {
            for (var i = 0; i < codecs.size(); i++) {
                var cpuBegin = CpuClock.nanos();
                var begin = System.nanoTime();
                turn.applyAsLong(codecs.get(i));
                seconds[i][round] = (System.nanoTime() - begin) / SECOND;
                cpu[i][round] = (CpuClock.nanos() - cpuBegin) / SECOND;
            }
        }
        var costs = new ArrayList<Cost>();
        for (var i = 0; i < codecs.size(); i++) {
            // Some kernels count CPU time in steps of 4 ms, so a median would be one of a few values.
            costs.add(new Cost(content.byteSize() / median(seconds[i]), mean(cpu[i]) / content.byteSize()));
        }
        return costs;
    }

    /** Measures blocks one at a time. */
    private Latency latency(int kibibytes) throws CompressionException {
        var blocks = blocks(kibibytes);
        var count = Math.min(SINGLE_BLOCKS, blocks.size());
        var inProcess = new double[rounds * count];
        var inWorker = new double[rounds * count];
        var copies = new double[rounds * count];
        var target = arena.allocate((long) kibibytes * KIB);
        try (var local = new BlockCodec.InProcess(LEVEL, kibibytes * KIB);
                var one = new BlockCodec.InWorkers(1, LEVEL, kibibytes * KIB)) {
            one.compress(blocks); // warms up
            for (var round = 0; round < rounds; round++) {
                for (var i = 0; i < count; i++) {
                    var block = blocks.get((round * count + i) % blocks.size());
                    var list = List.of(block);
                    var at = round * count + i;
                    inProcess[at] = seconds(() -> local.compress(list));
                    inWorker[at] = seconds(() -> one.compress(list));
                    copies[at] = seconds(() -> MemorySegment.copy(block, 0, target, 0, block.byteSize()));
                }
            }
        }
        return new Latency(kibibytes, LEVEL, median(inProcess), median(inWorker), median(copies));
    }

    private static double seconds(Runnable action) {
        var begin = System.nanoTime();
        action.run();
        return (System.nanoTime() - begin) / SECOND;
    }

    private static double mean(double[] values) {
        return DoubleStream.of(values).average().orElseThrow();
    }

    private static double median(double[] values) {
        var sorted = DoubleStream.of(values).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
