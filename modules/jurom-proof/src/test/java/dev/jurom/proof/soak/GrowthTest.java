// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GrowthTest {

    private static final double EXACT = 1e-9;

    @Test
    void a_leak_of_one_per_sample_is_a_slope_of_one() {
        var growth = Growth.of(IntStream.range(0, 100).asDoubleStream().toArray());

        assertEquals(1, growth.slope(), EXACT);
        assertEquals(4.5, growth.first(), EXACT);
        assertEquals(94.5, growth.last(), EXACT);
    }

    @Test
    void a_late_step_or_an_outlier_is_no_trend() {
        var step = IntStream.range(0, 100).mapToDouble(i -> i < 90 ? 20 : 28).toArray();
        step[50] = 5000;

        assertEquals(0, Growth.of(step).slope(), EXACT);
    }

    @Test
    void a_leak_is_detected_in_noise() {
        var noisy = IntStream.range(0, 300)
                .mapToDouble(i -> 30 + i * 0.1 + i * 7919 % 11)
                .toArray();

        assertEquals(0.1, Growth.of(noisy).slope(), 0.01);
    }

    @Test
    void a_long_series_is_subsampled() {
        var day = IntStream.range(0, 86_400).mapToDouble(i -> i * 0.5).toArray();

        assertEquals(0.5, Growth.of(day).slope(), EXACT);
    }

    @Test
    void a_single_sample_is_rejected() {
        assertThrows(IllegalArgumentException.class, () -> Growth.of(1));
    }
}
