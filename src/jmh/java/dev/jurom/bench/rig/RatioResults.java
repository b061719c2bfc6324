// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What came of all comparisons, as tables. Where the cores were near at times and far at others,
 * each has a row of its own.
 *
 * @param pairings the rounds of each comparison
 * @param rounds the rounds of each subject, in whatever comparison
 * @param limits what subjects should be by themselves
 * @param cores how far apart the cores were, in a sentence
 */
record RatioResults(
        Map<Comparison, List<Pairing>> pairings,
        Map<Subject, Map<Distance, List<Round>>> rounds,
        List<Limit> limits,
        String cores) {

    /** The ratios, whether they are what they should be, and how far apart the cores were. */
    String ratiosText() {
        return ratios() + "\n" + cores + "\n";
    }

    private Table ratios() {
        var table = new Table("comparison", "cores", "median", "quartiles", "goal", "met", "medians", "rounds");
        pairings.forEach((comparison, all) -> addRows(table, comparison, all));
        for (var limit : limits) {
            var value = Spread.of(rounds.get(limit.subject()).values().stream()
                    .flatMap(Collection::stream)
                    .map(limit.quantity()::of)
                    .toList());
            table.row(
                    limit.name(),
                    "any",
                    Figures.number(value.median()),
                    Figures.number(value.lower()) + " - " + Figures.number(value.upper()),
                    limit.goal().text(Distance.NEAR, Relation.RATIO),
                    limit.goal().verdict(Distance.NEAR, value.median()),
                    limit.quantity().format(value.median()),
                    Integer.toString(value.count()));
        }
        return table;
    }

    private static void addRows(Table table, Comparison comparison, List<Pairing> all) {
        var steady = all.stream()
                .filter(Pairing::isSteady)
                .collect(Collectors.groupingBy(Pairing::distance, TreeMap::new, Collectors.toList()));
        if (steady.isEmpty()) {
            table.row(comparison.name(), "unsteady", "-", "-", "", "", "-", "0 of " + all.size());
        }
        steady.forEach((distance, some) -> {
            var relation = comparison.relation();
            var result = Spread.of(some.stream().map(relation::of).toList());
            table.row(
                    comparison.name(),
                    distance.toString(),
                    relation.format(result.median()),
                    relation.format(result.lower()) + " - " + relation.format(result.upper()),
                    comparison.goal().text(distance, relation),
                    comparison.goal().verdict(distance, result.median()),
                    medians(comparison, some),
                    some.size() + " of " + all.size());
        });
    }

    private static String medians(Comparison comparison, List<Pairing> steady) {
        return comparison
                        .above()
                        .format(Spread.of(steady.stream().map(Pairing::above).toList())
                                .median()) + " / "
                + comparison
                        .below()
                        .format(Spread.of(steady.stream().map(Pairing::below).toList())
                                .median());
    }

    /** What each subject gave by itself: medians of its rounds. */
    String subjectsText() {
        return subjects() + "\n" + cores + "\n";
    }

    private Table subjects() {
        var table = new Table("subject", "cores", "p50", "p99", "rate", "allocated an operation", "rounds");
        rounds.forEach((subject, byDistance) -> byDistance.forEach((distance, its) -> {
            var median = Round.median(its);
            table.row(
                    subject.name(),
                    distance.toString(),
                    Quantity.P50.format(median),
                    Quantity.P99.format(median),
                    Quantity.RATE.format(median),
                    Quantity.ALLOCATION.format(median),
                    Integer.toString(its.size()));
        }));
        return table;
    }
}
