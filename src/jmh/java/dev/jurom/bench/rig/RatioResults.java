// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The results of all comparisons as tables. If both cache domains occurred, each has a separate row.
 *
 * @param pairings the rounds of each comparison
 * @param rounds the rounds of each subject in all comparisons
 * @param limits the goals of single subjects
 * @param cores a description of the cache domains
 */
record RatioResults(
        Map<Comparison, List<Pairing>> pairings,
        Map<Subject, Map<CacheDomain, List<Round>>> rounds,
        List<Limit> limits,
        String cores) {

    /** Returns the ratios, their goals and the cache domains. */
    String ratiosText() {
        return ratios() + "\n" + cores + "\n";
    }

    private Table ratios() {
        var table = new Table("comparison", "cache", "median", "quartiles", "goal", "met", "medians", "rounds");
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
                    limit.goal().text(CacheDomain.SHARED, Relation.RATIO),
                    limit.goal().verdict(CacheDomain.SHARED, value.median()),
                    limit.quantity().format(value.median()),
                    Integer.toString(value.count()));
        }
        return table;
    }

    private static void addRows(Table table, Comparison comparison, List<Pairing> all) {
        var steady = all.stream()
                .filter(Pairing::isSteady)
                .collect(Collectors.groupingBy(Pairing::domain, TreeMap::new, Collectors.toList()));
        if (steady.isEmpty()) {
            table.row(comparison.name(), "unsteady", "-", "-", "", "", "-", "0 of " + all.size());
        }
        steady.forEach((domain, some) -> {
            var relation = comparison.relation();
            var result = Spread.of(some.stream().map(relation::of).toList());
            table.row(
                    comparison.name(),
                    domain.toString(),
                    relation.format(result.median()),
                    relation.format(result.lower()) + " - " + relation.format(result.upper()),
                    comparison.goal().text(domain, relation),
                    comparison.goal().verdict(domain, result.median()),
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

    /** Returns the results of each subject as medians of its rounds. */
    String subjectsText() {
        return subjects() + "\n" + cores + "\n";
    }

    private Table subjects() {
        var table = new Table("subject", "cache", "p50", "p99", "rate", "allocated per operation", "rounds");
        rounds.forEach((subject, byDomain) -> byDomain.forEach((domain, its) -> {
            var median = Round.median(its);
            table.row(
                    subject.name(),
                    domain.toString(),
                    Quantity.P50.format(median),
                    Quantity.P99.format(median),
                    Quantity.RATE.format(median),
                    Quantity.ALLOCATION.format(median),
                    Integer.toString(its.size()));
        }));
        return table;
    }
}
