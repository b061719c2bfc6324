// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/**
 * Describes the growth of a line in words: as few straight pieces as possible that are near all points on two
 * logarithmic axes, each with its exponent.
 */
final class Slopes {

    private static final double NEAR = Math.log(1.3); // maximum distance of a point from its piece
    private static final double LEVEL = 0.15;
    private static final double LEVEL_IN_ALL = Math.log(1.5); // for long pieces
    private static final double IN_PROPORTION = 0.75;
    private static final double FASTER = 1.25;

    private final Curve curve;
    private final List<Integer> points;
    private final double[] x; // logarithms
    private final double[] y;

    /** Creates a description of measured points. */
    Slopes(Curve curve, SortedMap<Integer, Double> line) {
        this.curve = curve;
        points = List.copyOf(line.keySet());
        x = points.stream().mapToDouble(Math::log).toArray();
        y = line.values().stream().mapToDouble(Math::log).toArray();
    }

    /** Returns the pieces in order, each with the ratio of its last to its first point. */
    String describe() {
        var parts = new ArrayList<String>();
        for (var from = 0; from + 1 < x.length; ) {
            var to = end(from);
            var kind = kind(from, to);
            while (to + 1 < x.length && kind(to, end(to)).equals(kind)) {
                to = end(to);
            }
            parts.add(kind + " to " + curve.label(points.get(to)) + " (x " + Figures.number(Math.exp(y[to] - y[from]))
                    + ")");
            from = to;
        }
        return String.join(", ", parts);
    }

    /** Returns the end of the longest piece that starts at a point. */
    private int end(int from) {
        var to = x.length - 1;
        while (!isNearAll(from, to)) {
            to--;
        }
        return to;
    }

    private boolean isNearAll(int from, int to) {
        for (var i = from + 1; i < to; i++) {
            if (Math.abs(y[from] + exponent(from, to) * (x[i] - x[from]) - y[i]) > NEAR) {
                return false;
            }
        }
        return true;
    }

    private double exponent(int from, int to) {
        return (y[to] - y[from]) / (x[to] - x[from]);
    }

    private String kind(int from, int to) {
        var exponent = exponent(from, to);
        var magnitude = Math.abs(exponent);
        if (magnitude < LEVEL && Math.abs(y[to] - y[from]) < LEVEL_IN_ALL) {
            return "level";
        }
        var direction = exponent < 0 ? "falls " : "";
        if (magnitude < IN_PROPORTION) {
            return direction + "slower than " + curve.axis();
        }
        return direction + (magnitude < FASTER ? "with " : "faster than ") + curve.axis();
    }
}
