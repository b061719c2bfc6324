// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.Collection;

/**
 * A confidence interval of a median, whose ends are two of the values. It assumes only that the values are independent.
 *
 * @param lower the lower end
 * @param median the median of the values
 * @param upper the upper end
 * @param confidence the probability that such an interval contains the median of the distribution
 */
record MedianInterval(double lower, double median, double upper, double confidence) {

    private static final double WANTED = 0.95;

    /** Returns the smallest interval with a confidence of 95 %, or the range of fewer than 6 values. */
    static MedianInterval of(Collection<Double> values) {
        var sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        var from = 0; // index of the lower end
        var outside = Math.pow(0.5, sorted.length); // probability that the median is below it
        var term = outside;
        for (var next = 1; next < sorted.length - next; next++) {
            term *= (double) (sorted.length - next + 1) / next; // a binomial coefficient
            if (1 - 2 * (outside + term) < WANTED) {
                break;
            }
            outside += term;
            from = next;
        }
        return new MedianInterval(
                sorted[from], Spread.of(values).median(), sorted[sorted.length - 1 - from], 1 - 2 * outside);
    }
}
