// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.bench.rig.CompressionResults.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Draws throughput and CPU time of one worker relative to this process, by the size of a block. */
final class CompressionPlot {

    private static final double RULE = 0.25; // between two rules

    private CompressionPlot() {}

    /** Returns the SVG text. */
    static String draw(CompressionResults results, int rounds) {
        var caption =
                new ArrayList<>(List.of("zstd in one worker with three blocks in flight, relative to zstd-jni in the"
                        + " process; medians of " + rounds + " rounds."));
        caption.addAll(Machine.summary());
        var svg = new Svg("Compression in one worker, relative to compression in the process", caption);
        var sizes = results.rows().stream().map(Row::kibibytes).distinct().toList();
        var levels = results.rows().stream().map(Row::level).distinct().toList();
        var highest = RULE
                * Math.ceil(results.rows().stream()
                                .mapToDouble(row -> Math.max(row.relativeSpeed(1), row.relativeCpu(1)))
                                .max()
                                .orElseThrow()
                        / RULE);
        for (var rule = 0.0; rule <= highest; rule += RULE) {
            svg.across(rule / highest, String.format(Locale.ROOT, "x %.2f", rule));
        }
        for (var i = 0; i < sizes.size(); i++) {
            svg.upwards(along(i, sizes.size()), sizes.get(i) + " KiB");
        }
        svg.axis("multiples of compression in the process, by size of a block");
        for (var level : levels) {
            series(svg, results, "throughput, level " + level, level, highest, row -> row.relativeSpeed(1));
        }
        for (var level : levels) {
            series(svg, results, "application's CPU, level " + level, level, highest, row -> row.relativeCpu(1));
        }
        return svg.close();
    }

    private static double along(int index, int count) {
        return (double) index / (count - 1);
    }

    private static void series(
            Svg svg, CompressionResults results, String name, int level, double highest, ToDoubleFunction<Row> value) {
        var rows = results.rows().stream().filter(row -> row.level() == level).toList();
        var points = new StringBuilder();
        for (var i = 0; i < rows.size(); i++) {
            points.append(Svg.point(Svg.x(along(i, rows.size())), Svg.y(value.applyAsDouble(rows.get(i)) / highest)));
        }
        svg.series(name, points.toString());
    }
}
