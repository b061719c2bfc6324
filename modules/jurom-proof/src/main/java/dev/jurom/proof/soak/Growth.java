// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.soak;

import java.util.Arrays;

/**
 * The change of a quantity over a series of equidistant samples: the means of the first and last tenth, and a
 * trend that is robust against steps and outliers.
 *
 * @param first the mean of the first tenth
 * @param last the mean of the last tenth
 * @param slope the median slope between any two samples, from one sample to the next
 */
record Growth(double first, double last, double slope) {

    private static final int PARTS = 10;
    private static final int MAX_COMPARED = 2000; // compared samples; longer series are subsampled

    /** Computes the growth over at least two samples. */
    static Growth of(double... samples) {
        if (samples.length < 2) {
            throw new IllegalArgumentException("growth requires two samples, got " + samples.length);
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
        var step = 1 + samples.length / MAX_COMPARED;
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
