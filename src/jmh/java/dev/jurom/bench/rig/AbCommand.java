// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code scripts/bench ab}: two commits, interleaved. */
@Command(
        name = "ab",
        mixinStandardHelpOptions = true,
        description = {
            "Build two commits in worktrees in a temporary folder, and measure the subjects of `ratios` in"
                    + " interleaved rounds. Uncommitted changes are not measured.",
            "Prints the ratio B / A of each subject: the median over starts, and a confidence interval. The figure of a"
                    + " start is the median of its rounds, since a process that starts anew differs by more than its"
                    + " rounds do. Subjects of others, such as gRPC-java, show the accuracy."
        })
final class AbCommand implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "REV_A", description = "First commit.")
    private String revisionA;

    @Parameters(index = "1", paramLabel = "REV_B", description = "Second commit.")
    private String revisionB;

    @Option(
            names = "--only",
            paramLabel = "ROW",
            defaultValue = "",
            description = "Measure only the first subject of comparisons of `ratios` with a name that contains this"
                    + " regular expression.")
    private String only;

    @Option(
            names = "--starts",
            defaultValue = "6",
            description = "Number of starts of the processes, 6 or more for a confidence of 95 %% (default:"
                    + " ${DEFAULT-VALUE}).")
    private int starts;

    @Option(
            names = "--rounds",
            defaultValue = "8",
            description = "Number of rounds after each start (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Override
    public Integer call() throws IOException {
        var rows = Subjects.comparisons(Pattern.compile(only, Pattern.CASE_INSENSITIVE));
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("no comparison has a name that contains \"" + only
                    + "\": `scripts/bench ratios --rounds 1` prints the names");
        }
        var a = Worktree.resolve(revisionA);
        var b = Worktree.resolve(revisionB);
        System.out.printf("A: %s%nB: %s%n%n", Worktree.describe(a), Worktree.describe(b));
        var folder = Files.createTempDirectory("jurom-ab");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> Worktree.removeAll(folder))); // also after Ctrl-C
        System.err.println("bench: building A");
        var buildA = Worktree.add(folder.resolve("a"), a).build();
        System.err.println("bench: building B");
        var buildB = Worktree.add(folder.resolve("b"), b).build();
        System.err.println("bench: measuring");
        System.out.print(measure(pairs(rows, buildA, buildB)));
        return 0;
    }

    /** Returns comparisons of the two builds of each first subject. */
    private static List<Comparison> pairs(List<Comparison> rows, Build a, Build b) {
        return rows.stream()
                .map(row -> Comparison.of(
                        row.numerator().name() + ", " + row.above().name(),
                        row.above(),
                        row.numerator().builtIn(b),
                        row.numerator().builtIn(a),
                        Goal.NONE))
                .distinct()
                .toList();
    }

    private String measure(List<Comparison> pairs) {
        var results = new LinkedHashMap<Comparison, Map<CacheDomain, List<Start>>>();
        for (var start = 0; start < starts; start++) {
            try (var run = new RatioRun(pairs, List.of(), new Services(), new RawOption())) {
                run.run(rounds)
                        .steady()
                        .forEach((pair, byDomain) -> byDomain.forEach(
                                (domain, all) -> results.computeIfAbsent(pair, its -> new EnumMap<>(CacheDomain.class))
                                        .computeIfAbsent(domain, its -> new ArrayList<>())
                                        .add(Start.of(all))));
            }
        }
        var table = new Table("row", "cache", "B / A", "interval", "confidence", "A", "B", "starts");
        results.forEach((pair, byDomain) -> byDomain.forEach((domain, its) -> addRow(table, pair, domain, its)));
        return table + "\n" + Machine.cores() + "; load average " + Machine.load() + "\n";
    }

    /** The medians of the rounds after a start. */
    private record Start(double a, double b, double ratio) {

        static Start of(List<Pairing> rounds) {
            return new Start(
                    Spread.of(rounds.stream().map(Pairing::below).toList()).median(),
                    Spread.of(rounds.stream().map(Pairing::above).toList()).median(),
                    Spread.of(rounds.stream().map(Relation.RATIO::of).toList()).median());
        }
    }

    private void addRow(Table table, Comparison pair, CacheDomain domain, List<Start> its) {
        var interval = MedianInterval.of(its.stream().map(Start::ratio).toList());
        table.row(
                pair.name(),
                domain.toString(),
                Figures.number(interval.median()),
                Figures.number(interval.lower()) + " - " + Figures.number(interval.upper()),
                String.format(Locale.ROOT, "%.0f %%", 100 * interval.confidence()),
                pair.below()
                        .format(Spread.of(its.stream().map(Start::a).toList()).median()),
                pair.above()
                        .format(Spread.of(its.stream().map(Start::b).toList()).median()),
                its.size() + " of " + starts);
    }
}
