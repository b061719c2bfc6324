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
 * What came of a curve: multiples of the reference, from the rounds in that state of the cores in
 * which most of them were. A point where the cores were never in it has those of the other state,
 * and says so.
 */
final class CurveResults {

    private final Curve curve;
    private final Distance distance;
    private final int all;
    private final List<Pairing> taken;
    private final Map<CurveLine, SortedMap<Integer, Double>> lines = new LinkedHashMap<>();
    private final Map<CurveLine, Set<Integer>> strays = new HashMap<>(); // of the other state

    /**
     * Of these rounds.
     *
     * @param curve what was measured
     * @param pairings the rounds of each line, at each point
     */
    CurveResults(Curve curve, Map<CurveLine, Map<Integer, List<Pairing>>> pairings) {
        this.curve = curve;
        var rounds = pairings.values().stream()
                .flatMap(points -> points.values().stream())
                .flatMap(Collection::stream)
                .toList();
        all = rounds.size();
        distance = mostOften(rounds);
        taken = rounds.stream().filter(this::counts).toList();
        pairings.forEach(this::addLine);
    }

    private static Distance mostOften(List<Pairing> rounds) {
        return rounds.stream()
                .filter(Pairing::isSteady)
                .collect(Collectors.groupingBy(Pairing::distance, Collectors.counting()))
                .entrySet()
                .stream()
                .max(Comparator.comparing(Map.Entry::getValue))
                .map(Map.Entry::getKey)
                .orElseThrow(() -> new IllegalStateException("The cores moved in every round: measure again"));
    }

    private boolean counts(Pairing pairing) {
        return pairing.isSteady() && pairing.distance() == distance;
    }

    private void addLine(CurveLine line, Map<Integer, List<Pairing>> points) {
        var medians = new TreeMap<Integer, Double>();
        var others = new HashSet<Integer>();
        points.forEach((point, pairings) -> {
            var usual = ratios(pairings, this::counts);
            var any = usual.count() > 0 ? usual : ratios(pairings, Pairing::isSteady);
            if (any.count() > 0) {
                medians.put(point, any.median());
            }
            if (usual.count() == 0) {
                others.add(point);
            }
        });
        lines.put(line, medians);
        strays.put(line, others);
    }

    private static Spread ratios(List<Pairing> pairings, Predicate<Pairing> which) {
        return Spread.of(pairings.stream().filter(which).map(Relation.RATIO::of).toList());
    }

    /** A row for each line, a column for each point. */
    private Table multiples() {
        var head =
                Stream.concat(Stream.of(curve.name()), curve.points().stream().map(curve::label));
        return table(
                head,
                (line, values) -> curve.points().stream().map(point -> multiple(values, strays.get(line), point)));
    }

    private static String multiple(SortedMap<Integer, Double> values, Set<Integer> strays, int point) {
        return values.containsKey(point)
                ? Figures.number(values.get(point)) + (strays.contains(point) ? " *" : "")
                : "-";
    }

    private Table slopes() {
        return table(
                Stream.of(curve.name(), "how it grows"),
                (line, values) -> Stream.of(new Slopes(curve, values).describe()));
    }

    private Table table(Stream<String> head, BiFunction<CurveLine, SortedMap<Integer, Double>, Stream<String>> cells) {
        var table = new Table(head.toArray(String[]::new));
        lines.forEach((line, values) -> table.row(
                Stream.concat(Stream.of(line.name()), cells.apply(line, values)).toArray(String[]::new)));
        return table;
    }

    /** What 1 stands for, and when, in a sentence. */
    private String summary() {
        return "1 is " + curve.reference().name() + ", "
                + curve.unit()
                        .format(Spread.of(taken.stream().map(Pairing::below).toList())
                                .median()) + ", with cores that were " + distance + " (" + taken.size()
                + " of " + all + " rounds).";
    }

    /** All of it, as a section of a page that lies beside the plots. */
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

    /** What the plot's file is called. */
    String fileName() {
        return curve.name() + ".svg";
    }

    /** The lines as an SVG. */
    String plot() {
        var named = new LinkedHashMap<String, SortedMap<Integer, Double>>();
        lines.forEach((line, values) -> named.put(line.name(), values));
        var caption = new ArrayList<>(Machine.summary());
        caption.addFirst(summary());
        return new CurvePlot(curve, named).draw(caption);
    }
}
