// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Draws latencies over percentiles as SVG. Both axes are logarithmic; the horizontal one in the fraction of
 * slower commands.
 */
final class PercentilePlot {

    private static final double[] PERCENTILES = {0, 50, 90, 99, 99.9, 99.99, 99.999};
    private static final int STEPS_PER_DECADE = 20;

    private final Map<String, Histogram> series;
    private final double decades; // of the fraction of commands
    private final double lowest; // powers of ten, in microseconds
    private final double highest;

    PercentilePlot(Map<String, Histogram> series) {
        this.series = series;
        decades = Math.min(
                5,
                Math.log10(series.values().stream()
                        .mapToLong(Histogram::getTotalCount)
                        .max()
                        .orElse(10)));
        lowest = Math.floor(Math.log10(series.values().stream()
                        .mapToLong(histogram -> histogram.getValueAtPercentile(1))
                        .min()
                        .orElse(1)
                / 1e3));
        highest = Math.ceil(Math.log10(series.values().stream()
                        .mapToLong(histogram -> at(histogram, decades))
                        .max()
                        .orElse(1)
                / 1e3));
    }

    /** Returns the SVG text. */
    String draw(String title, List<String> caption) {
        var svg = new Svg(title, caption);
        for (var power = (int) lowest; power <= highest; power++) {
            svg.across(up(power), time(power));
        }
        for (var percentile : PERCENTILES) {
            var decade = -Math.log10(1 - percentile / 100);
            if (decade <= decades) {
                svg.upwards(decade / decades, Double.toString(percentile).replaceAll("\\.0$", "") + " %");
            }
        }
        svg.axis("percentage of commands answered within the time");
        series.forEach((name, histogram) -> svg.series(name, points(histogram)));
        return svg.close();
    }

    /** Formats a power of ten in microseconds. */
    private static String time(int power) {
        var units = List.of("ns", "µs", "ms", "s");
        var unit = Math.clamp(Math.floorDiv(power, 3) + 1, 0, units.size() - 1);
        return Math.round(Math.pow(10, power - 3 * (unit - 1))) + " " + units.get(unit);
    }

    private String points(Histogram histogram) {
        var points = new StringBuilder();
        var end = Math.min(decades, Math.log10(histogram.getTotalCount()));
        for (var step = 0; step <= end * STEPS_PER_DECADE; step++) {
            var decade = (double) step / STEPS_PER_DECADE;
            points.append(Svg.point(Svg.x(decade / decades), Svg.y(up(Math.log10(at(histogram, decade) / 1e3)))));
        }
        return points.toString();
    }

    /** Returns the latency in nanoseconds that only one of 10^decade commands exceeds. */
    private static long at(Histogram histogram, double decade) {
        return Math.max(1, histogram.getValueAtPercentile(100 * (1 - Math.pow(10, -decade))));
    }

    private double up(double power) {
        return (power - lowest) / (highest - lowest);
    }
}
