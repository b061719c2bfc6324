// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * A measurement without clients, and one with clients just after it.
 *
 * @param alone without clients
 * @param loaded with clients
 */
record Round(Latencies alone, Latencies loaded) {

    /** Formats a percentile of both measurements and their ratio, as medians over all rounds. */
    static String describe(List<Round> rounds, Function<Latencies, Histogram> kind, double percentile) {
        var ratio = median(rounds, round -> at(round.loaded, kind, percentile) / at(round.alone, kind, percentile));
        return String.format(
                Locale.ROOT,
                "%9.1f us alone %10.1f us loaded  x %.2f",
                median(rounds, round -> at(round.alone, kind, percentile)) / 1e3,
                median(rounds, round -> at(round.loaded, kind, percentile)) / 1e3,
                ratio);
    }

    private static double at(Latencies latencies, Function<Latencies, Histogram> kind, double percentile) {
        return Math.max(1, kind.apply(latencies).getValueAtPercentile(percentile));
    }

    private static double median(List<Round> rounds, Function<Round, Double> figure) {
        var sorted = rounds.stream().map(figure).sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
