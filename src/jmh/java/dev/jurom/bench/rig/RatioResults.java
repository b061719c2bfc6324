// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What came of all comparisons, as tables.
 *
 * @param pairings the rounds of each comparison
 * @param rounds the rounds of each subject, in whatever comparison
 * @param limits what subjects should be by themselves
 */
record RatioResults(Map<Comparison, List<Pairing>> pairings, Map<Subject, List<Round>> rounds,
        List<Limit> limits) {

    /** Times the least cost of a cache line: from there on the machine is in its slow state. */
    private static final double SLOW_FROM = 1.6;

    /** The ratios, and whether they are what they should be. */
    Table ratios() {
        var table = new Table("comparison", "ratio", "quartiles", "fast", "slow", "goal", "met",
                "medians", "rounds");
        pairings.forEach((comparison, all) -> {
            var steady = all.stream().filter(Pairing::isSteady).toList();
            var ratio = Spread.of(steady.stream().map(Pairing::ratio).toList());
            table.row(comparison.name(), Figures.number(ratio.median()),
                    Figures.number(ratio.lower()) + " - " + Figures.number(ratio.upper()),
                    ratioOf(steady, this::isFast), ratioOf(steady, this::isSlow),
                    comparison.goal().toString(), comparison.goal().verdict(ratio.median()),
                    medians(comparison, steady), steady.size() + " of " + all.size());
        });
        for (var limit : limits) {
            var value = Spread.of(rounds.get(limit.subject()).stream().map(limit.quantity()::of)
                    .toList());
            table.row(limit.name(), Figures.number(value.median()),
                    Figures.number(value.lower()) + " - " + Figures.number(value.upper()), "-", "-",
                    limit.goal().toString(), limit.goal().verdict(value.median()),
                    limit.quantity().format(value.median()), Integer.toString(value.count()));
        }
        return table;
    }

    private static String ratioOf(List<Pairing> steady, Predicate<Pairing> wanted) {
        return Figures.number(Spread.of(steady.stream().filter(wanted).map(Pairing::ratio).toList())
                .median());
    }

    private static String medians(Comparison comparison, List<Pairing> steady) {
        return comparison.above().format(
                Spread.of(steady.stream().map(Pairing::above).toList()).median()) + " / "
                + comparison.below().format(
                        Spread.of(steady.stream().map(Pairing::below).toList()).median());
    }

    /** What a cache line costs in either state of the machine, in one line. */
    String states() {
        return "A cache line to the other core and back took " + (sawBothStates()
                ? cacheLine(this::isFast) + " in the fast state of the machine, "
                        + cacheLine(this::isSlow) + " in the slow one."
                : cacheLine(pairing -> true) + ": the machine was in one state throughout.");
    }

    private String cacheLine(Predicate<Pairing> wanted) {
        return Figures.time(Spread.of(all().filter(wanted).map(Pairing::cacheLine).toList())
                .median());
    }

    private boolean isFast(Pairing pairing) {
        return sawBothStates() && pairing.cacheLine() < slowFrom();
    }

    private boolean isSlow(Pairing pairing) {
        return sawBothStates() && pairing.cacheLine() >= slowFrom();
    }

    private boolean sawBothStates() {
        return all().anyMatch(pairing -> pairing.cacheLine() >= slowFrom());
    }

    private double slowFrom() {
        return SLOW_FROM * all().mapToDouble(Pairing::cacheLine).min().orElse(0);
    }

    /** The pairings in which the machine was in one state. */
    private Stream<Pairing> all() {
        return pairings.values().stream().flatMap(List::stream).filter(Pairing::isSteady);
    }

    /** What each subject gave by itself: medians of its rounds, in whatever state. */
    Table subjects() {
        var table = new Table("subject", "p50", "p99", "rate", "allocated an operation");
        rounds.forEach((subject, itsRounds) -> {
            var median = Round.median(itsRounds);
            table.row(subject.name(), Quantity.P50.format(median), Quantity.P99.format(median),
                    Quantity.RATE.format(median), Quantity.ALLOCATION.format(median));
        });
        return table;
    }
}
