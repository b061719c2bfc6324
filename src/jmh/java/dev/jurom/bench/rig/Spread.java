// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.Collection;

/**
 * The median of some values, and the quartiles around it.
 *
 * @param lower a quarter of the values is below it
 * @param median half of the values are below it
 * @param upper a quarter of the values is above it
 * @param count how many values there are
 */
public record Spread(double lower, double median, double upper, int count) {

    /**
     * The spread of values.
     *
     * @param values in any order
     * @return of no values, NaN
     */
    public static Spread of(Collection<Double> values) {
        var sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return new Spread(quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75), sorted.length);
    }

    /** Between two neighbours it is interpolated. */
    private static double quantile(double[] sorted, double fraction) {
        if (sorted.length == 0) {
            return Double.NaN;
        }
        var place = fraction * (sorted.length - 1);
        var below = (int) place;
        var above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
