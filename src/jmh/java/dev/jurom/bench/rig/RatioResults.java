// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
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

    /** The comparisons of the first table of the page. */
    private static final List<String> MAIN = List.of(
            "C round trip, 64 B / cache line round trip",
            "C round trip, 64 B / raw UCX active message",
            "Java explicit / C",
            "Java facade, blocking call / Java explicit",
            "Aeron IPC echo / Java explicit",
            "Unix socket, blocking / Java explicit",
            "gRPC-java / Java explicit",
            "C round trip, 64 B, over TLS / raw TCP",
            "C rate, 8 B, depth 32 / UCX rate, 8 B, one way",
            "Java, depth 32 / C");

    /** Returns the main comparisons, each from the rounds in its more frequent cache domain. */
    String mainText() {
        var table = new Table("comparison", "ratio", "medians", "cache");
        for (var name : MAIN) {
            pairings.forEach((comparison, all) -> {
                if (comparison.name().equals(name)) {
                    addMainRow(table, comparison, all);
                }
            });
        }
        return table.toString();
    }

    private static void addMainRow(Table table, Comparison comparison, List<Pairing> all) {
        byDomain(all).entrySet().stream()
                .max(Comparator.comparing(domain -> domain.getValue().size()))
                .ifPresent(most -> {
                    var relation = comparison.relation();
                    var result =
                            Spread.of(most.getValue().stream().map(relation::of).toList());
                    table.row(
                            comparison.name(),
                            relation.format(result.median()),
                            medians(comparison, most.getValue()),
                            most.getKey().toString());
                });
    }

    /** Returns the steady rounds of each comparison in each domain. */
    Map<Comparison, SortedMap<CacheDomain, List<Pairing>>> steady() {
        var steady = new LinkedHashMap<Comparison, SortedMap<CacheDomain, List<Pairing>>>();
        pairings.forEach((comparison, all) -> steady.put(comparison, byDomain(all)));
        return steady;
    }

    private static SortedMap<CacheDomain, List<Pairing>> byDomain(List<Pairing> all) {
        return all.stream()
                .filter(Pairing::isSteady)
                .collect(Collectors.groupingBy(Pairing::domain, TreeMap::new, Collectors.toList()));
    }

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
        var steady = byDomain(all);
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
        var table = new Table("subject", "cache", "p50", "p99", "mean", "rate", "allocated per operation", "rounds");
        rounds.forEach((subject, byDomain) -> byDomain.forEach((domain, its) -> {
            var median = Round.median(its);
            table.row(
                    subject.name(),
                    domain.toString(),
                    Quantity.P50.format(median),
                    Quantity.P99.format(median),
                    Double.isNaN(median.p50()) ? Quantity.MEAN.format(median) : "-",
                    Quantity.RATE.format(median),
                    Quantity.ALLOCATION.format(median),
                    Integer.toString(its.size()));
        }));
        return table;
    }
}
