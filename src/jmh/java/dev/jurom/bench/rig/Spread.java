// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.Collection;

/**
 * The median and the quartiles of values.
 *
 * @param lower the lower quartile
 * @param median the median
 * @param upper the upper quartile
 * @param count the number of values
 */
public record Spread(double lower, double median, double upper, int count) {

    /**
     * Returns the spread of values.
     *
     * @param values in any order
     * @return the spread, with NaN if there are no values
     */
    public static Spread of(Collection<Double> values) {
        var sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return new Spread(quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75), sorted.length);
    }

    /** Interpolates between adjacent values. */
    private static double quantile(double[] sorted, double fraction) {
        if (sorted.length == 0) {
            return Double.NaN;
        }
        var position = fraction * (sorted.length - 1);
        var below = (int) position;
        var above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }
}
