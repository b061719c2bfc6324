// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * How a quantity changed over a series of samples at equal distances: its first and last value, and
 * its trend, which a step or an outlier does not change.
 *
 * @param first the first sample
 * @param last the last sample
 * @param trend the median slope between any two samples, times the length of the series
 */
record Growth(long first, long last, double trend) {

    /** The growth of one quantity over at least two samples. */
    static <T> Growth of(List<T> samples, ToLongFunction<T> quantity) {
        var values = samples.stream().mapToLong(quantity).toArray();
        var slopes = new double[values.length * (values.length - 1) / 2];
        var count = 0;
        for (var i = 0; i < values.length; i++) {
            for (var j = i + 1; j < values.length; j++) {
                slopes[count++] = (double) (values[j] - values[i]) / (j - i);
            }
        }
        Arrays.sort(slopes);
        return new Growth(values[0], values[values.length - 1],
                slopes[count / 2] * (values.length - 1));
    }
}
