// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Latencies over percentiles as an SVG: both axes are logarithmic, that of percentiles in the share
 * of commands that took longer.
 */
final class PercentilePlot {

    private static final int WIDTH = 860;
    private static final int HEIGHT = 500;
    private static final int LEFT = 70;
    private static final int RIGHT = 230; // for the names
    private static final int TOP = 40;
    private static final int BOTTOM = 90;
    private static final double[] PERCENTILES = {0, 50, 90, 99, 99.9, 99.99, 99.999};
    private static final int STEPS_PER_DECADE = 20;
    private static final List<String> COLOURS =
            List.of("#0b6e99", "#c2410c", "#15803d", "#7c3aed", "#a16207", "#be123c");

    private final Map<String, Histogram> series;
    private final double decades; // of the share of commands
    private final double lowest; // powers of ten, in microseconds
    private final double highest;
    private final StringBuilder svg = new StringBuilder();

    PercentilePlot(Map<String, Histogram> series) {
        this.series = series;
        decades = Math.min(5, Math.log10(series.values().stream()
                .mapToLong(Histogram::getTotalCount).max().orElse(10)));
        lowest = Math.floor(Math.log10(series.values().stream()
                .mapToLong(histogram -> histogram.getValueAtPercentile(1)).min().orElse(1) / 1e3));
        highest = Math.ceil(Math.log10(series.values().stream()
                .mapToLong(histogram -> at(histogram, decades)).max().orElse(1) / 1e3));
    }

    /** The plot as a file's content. */
    String draw(String title, List<String> caption) {
        line("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
                + "font-family=\"sans-serif\" font-size=\"12\">", WIDTH, HEIGHT);
        line("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, HEIGHT);
        text(LEFT, TOP - 16, "start", 15, title);
        for (var i = 0; i < caption.size(); i++) {
            text(LEFT, HEIGHT - 12 - 14 * (caption.size() - 1 - i), "start", 10, caption.get(i));
        }
        drawAxes();
        var number = 0;
        for (var entry : series.entrySet()) {
            drawSeries(entry.getKey(), entry.getValue(), number++);
        }
        line("</svg>");
        return svg.toString();
    }

    private void drawAxes() {
        for (var power = (int) lowest; power <= highest; power++) {
            rule(LEFT, y(power), WIDTH - RIGHT, y(power));
            text(LEFT - 8, y(power) + 4, "end", 12, time(power));
        }
        for (var percentile : PERCENTILES) {
            var decade = -Math.log10(1 - percentile / 100);
            if (decade <= decades) {
                rule(x(decade), TOP, x(decade), HEIGHT - BOTTOM);
                text(x(decade), HEIGHT - BOTTOM + 18, "middle", 12,
                        Double.toString(percentile).replaceAll("\\.0$", "") + " %");
            }
        }
        text(x(decades / 2), HEIGHT - BOTTOM + 36, "middle", 12,
                "share of the commands that were answered within that time");
    }

    /** A power of ten of a microsecond. */
    private static String time(int power) {
        var units = List.of("ns", "µs", "ms", "s");
        var unit = Math.clamp(Math.floorDiv(power, 3) + 1, 0, units.size() - 1);
        return Math.round(Math.pow(10, power - 3 * (unit - 1))) + " " + units.get(unit);
    }

    private void drawSeries(String name, Histogram histogram, int number) {
        var points = new StringBuilder();
        var end = Math.min(decades, Math.log10(histogram.getTotalCount()));
        for (var step = 0; step <= end * STEPS_PER_DECADE; step++) {
            var decade = (double) step / STEPS_PER_DECADE;
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(decade),
                    y(Math.log10(at(histogram, decade) / 1e3))));
        }
        var colour = COLOURS.get(number % COLOURS.size());
        line("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>", colour,
                points.toString().strip());
        var legendY = TOP + 10 + 22 * number;
        line("<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"4\" fill=\"%s\"/>",
                WIDTH - RIGHT + 16, legendY - 6, colour);
        text(WIDTH - RIGHT + 36, legendY, "start", 12, name);
    }

    /** What all but one of 10^decade commands stay below, in nanoseconds. */
    private static long at(Histogram histogram, double decade) {
        return Math.max(1, histogram.getValueAtPercentile(100 * (1 - Math.pow(10, -decade))));
    }

    private double x(double decade) {
        return LEFT + decade / decades * (WIDTH - LEFT - RIGHT);
    }

    private double y(double power) {
        return HEIGHT - BOTTOM - (power - lowest) / (highest - lowest) * (HEIGHT - TOP - BOTTOM);
    }

    private void rule(double x1, double y1, double x2, double y2) {
        line("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#d4d4d4\"/>", x1, y1,
                x2, y2);
    }

    private void text(double x, double y, String anchor, int size, String text) {
        line("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\">%s</text>", x, y,
                anchor, size, text.replace("&", "&amp;").replace("<", "&lt;"));
    }

    private void line(String format, Object... arguments) {
        svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }
}
