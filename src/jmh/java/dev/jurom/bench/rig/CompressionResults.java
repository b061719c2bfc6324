// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.cli.model.CompressionFigures;
import dev.jurom.cli.model.CompressionFigures.Block;
import dev.jurom.cli.model.CompressionFigures.InProcess;
import dev.jurom.cli.model.CompressionFigures.Linear;
import dev.jurom.cli.model.CompressionFigures.Measured;
import dev.jurom.cli.model.CompressionModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * The results of {@code scripts/bench compression}.
 *
 * @param rows the compression of all blocks
 * @param latencies the latencies of single blocks
 * @param decompression the decompression of one kind of block
 * @param rounds the number of rounds
 * @param content the number of bytes of a measurement
 */
record CompressionResults(List<Row> rows, List<Latency> latencies, Row decompression, int rounds, long content) {

    private static final double MIB = 1 << 20;
    private static final double MICRO = 1e-6;
    private static final double KIB = 1 << 10;

    /** The cost of a subject: the median throughput and the mean CPU time. */
    record Cost(double bytesPerSecond, double cpuPerByte) {}

    /** A kind of block: the ratio, and the costs in the process, in one worker and in two. */
    record Row(int kibibytes, int level, double ratio, List<Cost> costs) {

        double relativeSpeed(int subject) {
            return costs.get(subject).bytesPerSecond() / costs.getFirst().bytesPerSecond();
        }

        double relativeCpu(int subject) {
            return costs.get(subject).cpuPerByte() / costs.getFirst().cpuPerByte();
        }
    }

    /** The median times of a single block: in the process, in a worker, and of a copy, in seconds. */
    record Latency(int kibibytes, int level, double inProcess, double inWorker, double copy) {}

    String tables() {
        return text(
                """
                %d rounds, interleaved, of %d MiB of the sources of jurom; medians, and means of CPU times. In \
                process: one thread. In parentheses: relative to it. CPU: of the application's process, which \
                contains the service.

                %s
                Latency of one block at a time, with the worker idle before each block; medians:

                %s
                Decompression:

                %s""",
                rounds, content >> 20, throughputTable(rows), latencyTable(), throughputTable(List.of(decompression)));
    }

    private static Table throughputTable(List<Row> rows) {
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
        for (var row : rows) {
            var cells = new ArrayList<>(
                    List.of(row.kibibytes() + " KiB", Integer.toString(row.level()), text("%.2f", row.ratio())));
            for (var subject = 0; subject < row.costs().size(); subject++) {
                cells.add(text("%.0f MiB/s", row.costs().get(subject).bytesPerSecond() / MIB)
                        + (subject == 0 ? "" : text(" (%.2f)", row.relativeSpeed(subject))));
            }
            for (var subject = 0; subject < row.costs().size(); subject++) {
                cells.add(text("%.2f ms/MiB", row.costs().get(subject).cpuPerByte() * MIB * 1e3)
                        + (subject == 0 ? "" : text(" (%.2f)", row.relativeCpu(subject))));
            }
            table.row(cells.toArray(String[]::new));
        }
        return table;
    }

    private Table latencyTable() {
        var table = new Table("block", "level", "in process", "one worker", "added", "copy of the block");
        for (var latency : latencies) {
            table.row(
                    latency.kibibytes() + " KiB",
                    Integer.toString(latency.level()),
                    micros(latency.inProcess()),
                    micros(latency.inWorker()),
                    micros(latency.inWorker() - latency.inProcess()),
                    micros(latency.copy()));
        }
        return table;
    }

    private static String micros(double seconds) {
        return text("%.0f µs", seconds / MICRO);
    }

    /** Returns throughput and CPU time of one worker, by the size of a block, as SVG. */
    String plot() {
        var plot = new Plot();
        addLines(plot, "throughput", row -> row.relativeSpeed(1));
        addLines(plot, "application's CPU", row -> row.relativeCpu(1));
        var caption =
                new ArrayList<>(List.of("zstd in one worker with three blocks in flight, relative to zstd-jni in the"
                        + " process; medians of " + rounds + " rounds."));
        caption.addAll(Machine.summary());
        return plot.draw(
                "Compression in one worker, relative to compression in the process",
                caption,
                Plot.labelled(
                        "multiples of compression in the process, by size of a block",
                        sizes().stream().map(size -> size + " KiB").toList()),
                Plot.linear(multiple -> text("x %.2f", multiple)));
    }

    private List<Integer> sizes() {
        return rows.stream().map(Row::kibibytes).distinct().toList();
    }

    private void addLines(Plot plot, String name, ToDoubleFunction<Row> value) {
        for (var level : rows.stream().map(Row::level).distinct().toList()) {
            var points = plot.line(name + ", level " + level);
            rows.stream().filter(row -> row.level() == level).forEach(row -> {
                var multiple = value.applyAsDouble(row);
                points.add(sizes().indexOf(row.kibibytes()), multiple, multiple, multiple);
            });
        }
    }

    /** Returns the figures for the model. */
    CompressionFigures figures() {
        var blocks = new TreeMap<Block, InProcess>();
        var host = new ArrayList<Measured>();
        var worker = new ArrayList<Measured>();
        for (var row : rows) {
            var bytes = row.kibibytes() * KIB;
            var local = row.costs().get(0);
            var one = row.costs().get(1);
            blocks.put(new Block(row.kibibytes(), row.level()), new InProcess(local.bytesPerSecond(), row.ratio()));
            host.add(new Measured(bytes, one.cpuPerByte() * bytes, one.cpuPerByte() * bytes));
            worker.add(new Measured(
                    bytes,
                    bytes / one.bytesPerSecond() - bytes / local.bytesPerSecond(),
                    bytes / one.bytesPerSecond()));
        }
        var added = latencies.stream()
                .map(latency -> new Measured(
                        latency.kibibytes() * KIB, latency.inWorker() - latency.inProcess(), latency.inWorker()))
                .toList();
        return new CompressionFigures(blocks, Linear.fit(host), Linear.fit(worker), Linear.fit(added));
    }

    /** Returns the difference of the model from the measured figures: with the same speed in the process. */
    String modelTable(CompressionFigures figures) {
        var table = new Table("block", "level", "figure", "measured", "model", "difference");
        for (var row : rows) {
            var model = model(figures, row.kibibytes(), row.costs().getFirst().bytesPerSecond(), row.ratio());
            var one = row.costs().get(1);
            add(table, row, "MiB/s of one worker", one.bytesPerSecond() / MIB, model.throughput() / MIB);
            add(
                    table,
                    row,
                    "CPU of the application, µs per block",
                    one.cpuPerByte() * row.kibibytes() * KIB / MICRO,
                    model.hostTimeOfBlock() / MICRO);
        }
        for (var latency : latencies) {
            var speed = latency.kibibytes() * KIB / latency.inProcess();
            table.row(cells(
                    latency.kibibytes(),
                    latency.level(),
                    "latency, µs",
                    latency.inWorker() / MICRO,
                    model(figures, latency.kibibytes(), speed, 1).latency() / MICRO));
        }
        return "Model of a DPU with the cores of this machine and without a link, beside the measured figures:\n\n"
                + table;
    }

    private static CompressionModel model(
            CompressionFigures figures, int kibibytes, double bytesPerSecond, double ratio) {
        return new CompressionModel(
                kibibytes * KIB,
                new InProcess(bytesPerSecond, ratio),
                figures.hostTime(),
                figures.workerTime(),
                figures.latency(),
                1,
                0,
                Double.POSITIVE_INFINITY);
    }

    private static void add(Table table, Row row, String figure, double measured, double model) {
        table.row(cells(row.kibibytes(), row.level(), figure, measured, model));
    }

    private static String[] cells(int kibibytes, int level, String figure, double measured, double model) {
        return new String[] {
            kibibytes + " KiB",
            Integer.toString(level),
            figure,
            text("%.0f", measured),
            text("%.0f", model),
            text("%+.0f %%", 100 * (model / measured - 1))
        };
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
