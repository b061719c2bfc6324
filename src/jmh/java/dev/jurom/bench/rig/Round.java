// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The result of a round.
 *
 * @param p50 the median time of the operations in nanoseconds
 * @param p99 the 99th percentile in nanoseconds
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

    /** Parses {@code p50=... p99=... rate=...} with an optional {@code allocated=...}. */
    static Round parse(String line) {
        try {
            var values = Arrays.stream(line.split(" "))
                    .map(word -> word.split("=", 2))
                    .collect(Collectors.toMap(word -> word[0], word -> Double.valueOf(word[1])));
            return new Round(
                    values.get("p50"), values.get("p99"), values.get("rate"), values.getOrDefault("allocated", 0.0));
        } catch (RuntimeException e) {
            throw new IllegalStateException("expected p50=N p99=N rate=N, got \"" + line + "\"", e);
        }
    }
}
