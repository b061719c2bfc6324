// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The result of a round.
 *
 * @param p50 the median time of the operations in nanoseconds, or NaN if they were timed together
 * @param p99 the 99th percentile in nanoseconds, or NaN
 * @param rate operations per second
 * @param allocated allocated bytes per operation in Java; 0 in C
 */
record Round(double p50, double p99, double rate, double allocated) {

    /** Returns a round with the medians of several rounds. */
    static Round median(List<Round> rounds) {
        return new Round(
                median(rounds, Round::p50),
                median(rounds, Round::p99),
                median(rounds, Round::rate),
                median(rounds, Round::allocated));
    }

    private static double median(List<Round> rounds, ToDoubleFunction<Round> value) {
        return Spread.of(rounds.stream().map(value::applyAsDouble).toList()).median();
    }

    /** Returns the mean time of an operation in nanoseconds. The times of operations may overlap. */
    double mean() {
        return 1e9 / rate;
    }

    /** Returns the median time of the operations, or their mean time if they were timed together. */
    double time() {
        return Double.isNaN(p50) ? mean() : p50;
    }

    /** Returns the values by the name that they have in raw results. */
    Map<String, Object> values() {
        var values = new LinkedHashMap<String, Object>();
        if (!Double.isNaN(p50)) {
            values.put("p50_ns", p50);
            values.put("p99_ns", p99);
        }
        values.put("mean_ns", mean());
        values.put("rate_per_second", rate);
        values.put("allocated_bytes", allocated);
        return values;
    }

    /** Parses {@code rate=...} with optional {@code p50=...}, {@code p99=...} and {@code allocated=...}. */
    static Round parse(String line) {
        try {
            var values = Arrays.stream(line.split(" "))
                    .map(word -> word.split("=", 2))
                    .collect(Collectors.toMap(word -> word[0], word -> Double.valueOf(word[1])));
            return new Round(
                    values.getOrDefault("p50", Double.NaN),
                    values.getOrDefault("p99", Double.NaN),
                    values.get("rate"),
                    values.getOrDefault("allocated", 0.0));
        } catch (RuntimeException e) {
            throw new IllegalStateException("expected rate=N, got \"" + line + "\"", e);
        }
    }
}
