// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/**
 * Says in words how a line grows: as few straight pieces as come near all of its points on two
 * logarithmic axes, each by its exponent.
 */
final class Slopes {

    private static final double NEAR = Math.log(1.3); // as far as a point may be from its piece
    private static final double LEVEL = 0.15;
    private static final double LEVEL_IN_ALL = Math.log(1.5); // where a piece is long
    private static final double IN_PROPORTION = 0.75;
    private static final double FASTER = 1.25;

    private final Curve curve;
    private final List<Integer> points;
    private final double[] x; // logarithms
    private final double[] y;

    /** Of what was measured at points. */
    Slopes(Curve curve, SortedMap<Integer, Double> line) {
        this.curve = curve;
        points = List.copyOf(line.keySet());
        x = points.stream().mapToDouble(Math::log).toArray();
        y = line.values().stream().mapToDouble(Math::log).toArray();
    }

    /** One piece after the other, each with how many times more the last of its points costs. */
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

    /** Where the longest piece ends that starts at a point. */
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
