// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** Draws the lines of a curve as SVG with two logarithmic axes. */
final class CurvePlot {

    private static final int[] BETWEEN = {2, 3, 5}; // additional rules if there is only one decade

    private final Curve curve;
    private final Map<String, SortedMap<Integer, Double>> lines;
    private final double lowest; // powers of ten, relative to the reference
    private final double highest;

    CurvePlot(Curve curve, Map<String, SortedMap<Integer, Double>> lines) {
        this.curve = curve;
        this.lines = lines;
        var values = lines.values().stream()
                .map(SortedMap::values)
                .flatMap(Collection::stream)
                .mapToDouble(Math::log10)
                .summaryStatistics();
        lowest = Math.floor(values.getMin());
        highest = Math.max(lowest + 1, Math.ceil(values.getMax()));
    }

    /** Returns the SVG text. */
    String draw(List<String> caption) {
        var svg = new Svg(curve.title(), caption);
        for (var power = (int) lowest; power <= highest; power++) {
            svg.across(up(power), "x " + Figures.power(power));
        }
        if (highest - lowest == 1) {
            for (var step : BETWEEN) {
                svg.across(Math.log10(step), "x " + Figures.number(step * Math.pow(10, lowest)));
            }
        }
        curve.points().forEach(point -> svg.upwards(along(point), curve.label(point)));
        svg.axis("multiples of the reference, by " + curve.axis());
        lines.forEach((name, values) -> svg.series(name, points(values)));
        return svg.close();
    }

    private String points(SortedMap<Integer, Double> values) {
        var points = new StringBuilder();
        values.forEach((point, value) -> points.append(Svg.point(Svg.x(along(point)), Svg.y(up(Math.log10(value))))));
        return points.toString();
    }

    private double along(int point) {
        return Math.log((double) point / curve.points().getFirst())
                / Math.log((double) curve.points().getLast() / curve.points().getFirst());
    }

    private double up(double power) {
        return (power - lowest) / (highest - lowest);
    }
}
