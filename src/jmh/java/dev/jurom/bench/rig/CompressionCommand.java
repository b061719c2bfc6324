// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import com.github.luben.zstd.ZstdCompressCtx;
import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionConfiguration;
import dev.jurom.compress.CompressionException;
import dev.jurom.compress.CompressionFormat;
import dev.jurom.compress.CompressionMode;
import dev.jurom.compress.CompressionParameters;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.DoubleStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code scripts/bench compression}: blocks compressed by workers, relative to this process. */
@Command(
        name = "compression",
        mixinStandardHelpOptions = true,
        description = "Measure zstd in workers: throughput and CPU time of this process, relative to zstd-jni.")
final class CompressionCommand implements Callable<Integer> {

    private static final int[] KIBIBYTES = {16, 64, 256, 1024}; // of a block
    private static final int[] LEVELS = {1, 3, 9};
    private static final int IN_FLIGHT = 3; // blocks of each worker: they fit into its ring
    private static final int KIB = 1 << 10;
    private static final int CONTENT = 8 << 20; // bytes that are compressed in a turn
    private static final int WARM_UP = 100; // turns
    private static final double MIB = 1 << 20;
    private static final double SECOND = 1e9; // nanoseconds
    private static final double MILLI = 1e6; // nanoseconds

    @Option(
            names = "--rounds",
            defaultValue = "7",
            description = "Number of rounds of each measurement (default: ${DEFAULT-VALUE}).")
    private int rounds;

    /** A turn: the compressed bytes and their cost. */
    private record Turn(double seconds, double cpuNanos, long compressed) {}

    /** The CPU time of this process. The JDK's own method counts in steps of 10 ms. */
    private static final class CpuClock {

        private static final int PROCESS_CPU_TIME = 2; // CLOCK_PROCESS_CPUTIME_ID
        private static final MemorySegment TIME = Arena.global().allocate(ValueLayout.JAVA_LONG, 2);
        private static final MethodHandle CLOCK_GETTIME = Linker.nativeLinker()
                .downcallHandle(
                        Linker.nativeLinker()
                                .defaultLookup()
                                .find("clock_gettime")
                                .orElseThrow(),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

        static double nanos() {
            try {
                if ((int) CLOCK_GETTIME.invokeExact(PROCESS_CPU_TIME, TIME) != 0) {
                    throw new IllegalStateException("the CPU time of this process cannot be read");
                }
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e); // the native function throws nothing
            }
            return TIME.getAtIndex(ValueLayout.JAVA_LONG, 0) * SECOND + TIME.getAtIndex(ValueLayout.JAVA_LONG, 1);
        }
    }

    /** Compresses the content once, block by block. */
    private interface Subject extends AutoCloseable {

        long compress(MemorySegment content, int block);

        @Override
        void close();
    }

    private static final class InProcess implements Subject {

        private final ZstdCompressCtx context = new ZstdCompressCtx();
        private final ByteBuffer target;

        InProcess(int level, int block) {
            context.setLevel(level);
            target = ByteBuffer.allocateDirect((int) CompressionFormat.maxCompressedSize(block));
        }

        @Override
        public long compress(MemorySegment content, int block) {
            var source = content.asByteBuffer();
            var sum = 0L;
            for (var at = 0; at < source.capacity(); at += block) {
                sum += context.compressDirectByteBuffer(
                        target, 0, target.capacity(), source, at, Math.min(block, source.capacity() - at));
            }
            return sum;
        }

        @Override
        public void close() {
            context.close();
        }
    }

    private static final class InWorkers implements Subject {

        private final Compression compression;
        private final Arena arena = Arena.ofShared();
        private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();

        InWorkers(int workers, int level, int block) throws CompressionException {
            compression = Compression.open(CompressionConfiguration.builder()
                    .mode(CompressionMode.OFFLOAD)
                    .parameters(CompressionParameters.of(CompressionFormat.ZSTD).withLevel(level))
                    .blockSize(block)
                    .workers(workers)
                    .build());
            for (var i = 0; i < workers * IN_FLIGHT; i++) {
                free.add(arena.allocate(compression.maxCompressedSize(block)));
            }
        }

        private record InFlight(MemorySegment target, CompletableFuture<MemorySegment> frame) {}

        @Override
        public long compress(MemorySegment content, int block) {
            var sum = 0L;
            var inFlight = new ArrayDeque<InFlight>();
            for (var at = 0L; at < content.byteSize(); at += block) {
                if (free.isEmpty()) {
                    sum += finish(inFlight.poll());
                }
                var source = content.asSlice(at, Math.min(block, content.byteSize() - at));
                var target = free.poll();
                inFlight.add(new InFlight(target, compression.compress(source, target)));
            }
            while (!inFlight.isEmpty()) {
                sum += finish(inFlight.poll());
            }
            return sum;
        }

        private long finish(InFlight first) {
            var size = first.frame().join().byteSize();
            free.add(first.target());
            return size;
        }

        @Override
        public void close() {
            compression.close();
            arena.close();
        }
    }

    @Override
    public Integer call() throws IOException {
        try (var arena = Arena.ofShared()) {
            var content = content(arena);
            var table = new Table(
                    "block",
                    "level",
                    "ratio",
                    "in process",
                    "one worker",
                    "two workers",
                    "CPU in process",
                    "one worker",
                    "two workers");
            warmUp(content);
            for (var kibibytes : KIBIBYTES) {
                for (var level : LEVELS) {
                    row(table, content, kibibytes, level);
                }
            }
            System.out.printf(
                    Locale.ROOT,
                    "%d rounds, interleaved, of %d MiB of the sources of jurom; medians. In process: one thread."
                            + " CPU: of this process, which contains the service.%n%n%s",
                    rounds,
                    CONTENT >> 20,
                    table);
        }
        return 0;
    }

    /** Sends commands until the JVM has compiled their path, because its compiler would count as CPU time. */
    private static void warmUp(MemorySegment content) throws CompressionException {
        var block = KIBIBYTES[0] * KIB;
        try (var workers = new InWorkers(2, LEVELS[0], block)) {
            for (var turn = 0; turn < WARM_UP; turn++) {
                workers.compress(content, block);
            }
        }
    }

    private void row(Table table, MemorySegment content, int kibibytes, int level) throws CompressionException {
        var block = kibibytes * KIB;
        var turns = new ArrayList<List<Turn>>();
        try (var local = new InProcess(level, block);
                var one = new InWorkers(1, level, block);
                var two = new InWorkers(2, level, block)) {
            var subjects = List.of(local, one, two);
            subjects.forEach(subject -> {
                turns.add(new ArrayList<>());
                subject.compress(content, block); // warms up
            });
            for (var round = 0; round < rounds; round++) {
                for (var i = 0; i < subjects.size(); i++) {
                    turns.get(i).add(turn(subjects.get(i), content, block));
                }
            }
        }
        var speeds = turns.stream()
                .map(all -> median(all.stream().mapToDouble(turn -> CONTENT / MIB / turn.seconds())))
                .toList();
        var costs = turns.stream()
                .map(all -> median(all.stream().mapToDouble(turn -> turn.cpuNanos() / (CONTENT / MIB) / MILLI)))
                .toList();
        table.row(
                kibibytes + " KiB",
                Integer.toString(level),
                text("%.2f", (double) CONTENT / turns.getFirst().getFirst().compressed()),
                text("%.0f MiB/s", speeds.get(0)),
                text("%.0f MiB/s (%.2f)", speeds.get(1), speeds.get(1) / speeds.get(0)),
                text("%.0f MiB/s (%.2f)", speeds.get(2), speeds.get(2) / speeds.get(0)),
                text("%.2f ms/MiB", costs.get(0)),
                text("%.2f ms/MiB (%.2f)", costs.get(1), costs.get(1) / costs.get(0)),
                text("%.2f ms/MiB (%.2f)", costs.get(2), costs.get(2) / costs.get(0)));
    }

    private static Turn turn(Subject subject, MemorySegment content, int block) {
        var cpu = CpuClock.nanos();
        var begin = System.nanoTime();
        var compressed = subject.compress(content, block);
        var end = System.nanoTime();
        return new Turn((end - begin) / SECOND, CpuClock.nanos() - cpu, compressed);
    }

    /** Returns the first bytes of the sources and pages of this repository. */
    private static MemorySegment content(Arena arena) throws IOException {
        var root = Path.of(System.getProperty("jurom.source"));
        var content = arena.allocate(CONTENT);
        var at = 0L;
        for (var folder : List.of("src", "modules", "docs", "headers", "jextract")) {
            try (var files = Files.walk(root.resolve(folder))) {
                for (var file :
                        files.filter(CompressionCommand::isText).sorted().toList()) {
                    var bytes = MemorySegment.ofArray(Files.readAllBytes(file));
                    var length = Math.min(bytes.byteSize(), CONTENT - at);
                    content.asSlice(at, length).copyFrom(bytes.asSlice(0, length));
                    at += length;
                }
            }
        }
        for (var from = 0L; at < CONTENT; at++) { // repeats, out of reach of a block
            content.set(ValueLayout.JAVA_BYTE, at, content.get(ValueLayout.JAVA_BYTE, from++));
        }
        return content;
    }

    private static boolean isText(Path file) {
        return file.toString().matches(".*\\.(java|c|h|md)") && !file.toString().contains("/target/");
    }

    private static double median(DoubleStream values) {
        var sorted = values.toArray();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
