// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The results of a curve: multiples of the reference, from the rounds in the more frequent cache domain. A
 * point without rounds in that domain uses those of the other domain and is marked.
 */
final class CurveResults {

    private final Curve curve;
    private final CacheDomain domain;
    private final int all;
    private final List<Pairing> taken;
    private final Map<CurveLine, SortedMap<Integer, Spread>> lines = new LinkedHashMap<>();
    private final Map<CurveLine, Set<Integer>> strays = new HashMap<>(); // points of the other domain

    /**
     * Evaluates rounds.
     *
     * @param curve the curve
     * @param pairings the rounds of each line at each point
     */
    CurveResults(Curve curve, Map<CurveLine, Map<Integer, List<Pairing>>> pairings) {
        this.curve = curve;
        var rounds = pairings.values().stream()
                .flatMap(points -> points.values().stream())
                .flatMap(Collection::stream)
                .toList();
        all = rounds.size();
        domain = mostFrequent(rounds);
        taken = rounds.stream().filter(this::counts).toList();
        pairings.forEach(this::addLine);
    }

    private static CacheDomain mostFrequent(List<Pairing> rounds) {
        return rounds.stream()
                .filter(Pairing::isSteady)
                .collect(Collectors.groupingBy(Pairing::domain, Collectors.counting()))
                .entrySet()
                .stream()
                .max(Comparator.comparing(Map.Entry::getValue))
                .map(Map.Entry::getKey)
                .orElseThrow(
                        () -> new IllegalStateException("the cache domain changed during every round: measure again"));
    }

    private boolean counts(Pairing pairing) {
        return pairing.isSteady() && pairing.domain() == domain;
    }

    private void addLine(CurveLine line, Map<Integer, List<Pairing>> points) {
        var spreads = new TreeMap<Integer, Spread>();
        var others = new HashSet<Integer>();
        points.forEach((point, pairings) -> {
            var usual = ratios(pairings, this::counts);
            var any = usual.count() > 0 ? usual : ratios(pairings, Pairing::isSteady);
            if (any.count() > 0) {
                spreads.put(point, any);
            }
            if (usual.count() == 0) {
                others.add(point);
            }
        });
        lines.put(line, spreads);
        strays.put(line, others);
    }

    private static Spread ratios(List<Pairing> pairings, Predicate<Pairing> which) {
        return Spread.of(pairings.stream().filter(which).map(Relation.RATIO::of).toList());
    }

    /** Returns a table with a row for each line and a column for each point. */
    private Table multiples() {
        var head =
                Stream.concat(Stream.of(curve.name()), curve.points().stream().map(curve::label));
        return table(
                head,
                (line, values) -> curve.points().stream().map(point -> multiple(values, strays.get(line), point)));
    }

    private static String multiple(SortedMap<Integer, Spread> values, Set<Integer> strays, int point) {
        return values.containsKey(point)
                ? Figures.number(values.get(point).median()) + (strays.contains(point) ? " *" : "")
                : "-";
    }

    private Table slopes() {
        return table(
                Stream.of(curve.name(), "growth"),
                (line, values) -> Stream.of(new Slopes(curve, medians(values)).describe()));
    }

    private static SortedMap<Integer, Double> medians(SortedMap<Integer, Spread> values) {
        var medians = new TreeMap<Integer, Double>();
        values.forEach((point, spread) -> medians.put(point, spread.median()));
        return medians;
    }

    private Table table(Stream<String> head, BiFunction<CurveLine, SortedMap<Integer, Spread>, Stream<String>> cells) {
        var table = new Table(head.toArray(String[]::new));
        lines.forEach((line, values) -> table.row(
                Stream.concat(Stream.of(line.name()), cells.apply(line, values)).toArray(String[]::new)));
        return table;
    }

    /** Returns a sentence that describes the reference. */
    private String summary() {
        return "Reference (1.00): " + curve.reference().name() + ", "
                + curve.unit()
                        .format(Spread.of(taken.stream().map(Pairing::below).toList())
                                .median()) + ", " + domain.phrase() + " (" + taken.size()
                + " of " + all + " rounds).";
    }

    /** Returns the section of the page, which refers to the plots. */
    String text() {
        return String.join(
                "\n",
                "### " + curve.title(),
                "",
                summary(),
                "",
                multiples() + "\n" + slopes(),
                "![" + curve.title() + "](plots/" + fileName() + ")",
                "");
    }

    /** Returns the name of the plot file. */
    String fileName() {
        return curve.name() + ".svg";
    }

    /** Returns the plot of the medians and quartiles as SVG. */
    String plot() {
        var plot = new Plot();
        lines.forEach((line, values) -> {
            var points = plot.line(line.name());
            values.forEach((point, spread) -> points.add(
                    curve.points().indexOf(point),
                    Plot.log(2, spread.median()),
                    Plot.log(2, spread.lower()),
                    Plot.log(2, spread.upper())));
        });
        var caption = new ArrayList<>(Machine.summary());
        caption.addFirst("Lines: medians. Areas: from the lower to the upper quartile.");
        caption.addFirst(summary());
        return plot.draw(
                curve.title(),
                caption,
                Plot.labelled(
                        "multiples of the reference, by " + curve.axis(),
                        curve.points().stream().map(curve::label).toList()),
                Plot.logarithmic(2, multiple -> "x " + Figures.number(multiple)));
    }
}
