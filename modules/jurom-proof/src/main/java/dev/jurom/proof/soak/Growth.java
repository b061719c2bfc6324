// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.soak;

import java.util.Arrays;

/**
 * How a quantity changed over a series of samples at equal distances: the means of its first and
 * last tenth, and its trend, which a step or an outlier does not change.
 *
 * @param first the mean of the first tenth
 * @param last the mean of the last tenth
 * @param slope the median slope between any two samples, from one sample to the next
 */
record Growth(double first, double last, double slope) {

    private static final int PARTS = 10;
    private static final int MOST = 2000; // samples that are compared; of more, every so manieth

    /** The growth over at least two samples. */
    static Growth of(double... samples) {
        if (samples.length < 2) {
            throw new IllegalArgumentException("Growth takes two samples, and there is " + samples.length);
        }
        var part = Math.max(1, samples.length / PARTS);
        return new Growth(
                mean(Arrays.copyOf(samples, part)),
                mean(Arrays.copyOfRange(samples, samples.length - part, samples.length)),
                slope(samples));
    }

    private static double mean(double[] samples) {
        return Arrays.stream(samples).average().orElseThrow();
    }

    private static double slope(double[] samples) {
        var step = 1 + samples.length / MOST;
        var count = (samples.length - 1) / step + 1;
        var slopes = new double[count * (count - 1) / 2];
        var next = 0;
        for (var i = 0; i < count; i++) {
            for (var j = i + 1; j < count; j++) {
                slopes[next++] = (samples[j * step] - samples[i * step]) / ((j - i) * step);
            }
        }
        Arrays.sort(slopes);
        return slopes.length == 0 ? samples[samples.length - 1] - samples[0] : slopes[slopes.length / 2];
    }
}
