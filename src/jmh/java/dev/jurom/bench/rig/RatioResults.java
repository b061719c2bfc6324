// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.List;
import java.util.Map;

/**
 * What came of all comparisons, as tables.
 *
 * @param pairings the rounds of each comparison
 * @param rounds the rounds of each subject, in whatever comparison
 */
record RatioResults(Map<Comparison, List<Pairing>> pairings, Map<Subject, List<Round>> rounds) {

    /** Times the least cost of a cache line: from there on the machine is in its slow state. */
    private static final double SLOW_FROM = 1.6;

    /** The ratios, and whether they are what they should be. */
    Table ratios() {
        var table = new Table("comparison", "ratio", "quartiles", "fast", "slow", "goal", "met",
                "medians", "rounds");
        var slowFrom = slowFrom();
        pairings.forEach((comparison, itsPairings) -> {
            var result = new ComparisonResult(itsPairings, slowFrom);
            var ratio = result.ratio();
            table.row(comparison.name(), Quantity.number(ratio.median()),
                    Quantity.number(ratio.lower()) + " - " + Quantity.number(ratio.upper()),
                    Quantity.number(result.ratioWhenFast().median()),
                    Quantity.number(result.ratioWhenSlow().median()),
                    comparison.goal().toString(), comparison.goal().verdict(ratio.median()),
                    comparison.above().format(result.above().median()) + " / "
                            + comparison.below().format(result.below().median()),
                    ratio.count() + " of " + itsPairings.size());
        });
        return table;
    }

    /** What a cache line costs in either state of the machine, in one line. */
    String states() {
        var slowFrom = slowFrom();
        var all = pairings.values().stream().flatMap(List::stream).map(Pairing::cacheLine).toList();
        return "A cache line to the other core and back costs "
                + nanoseconds(all.stream().filter(cost -> cost < slowFrom).toList())
                + " in the fast state, "
                + nanoseconds(all.stream().filter(cost -> cost >= slowFrom).toList())
                + " in the slow one.";
    }

    private static String nanoseconds(List<Double> costs) {
        return costs.isEmpty() ? "(not seen)" : Quantity.number(Spread.of(costs).median()) + " ns";
    }

    private double slowFrom() {
        return SLOW_FROM * pairings.values().stream().flatMap(List::stream)
                .mapToDouble(Pairing::cacheLine).min().orElse(0);
    }

    /** What each subject gave by itself: medians of its rounds, in whatever state. */
    Table subjects() {
        var table = new Table("subject", "p50", "p99", "rate", "allocated an operation");
        rounds.forEach((subject, itsRounds) -> {
            var median = Round.median(itsRounds);
            table.row(subject.name(), Quantity.P50.format(median),
                    Quantity.number(median.p99() / 1e3) + " µs", Quantity.RATE.format(median),
                    Quantity.ALLOCATION.format(median));
        });
        return table;
    }
}
