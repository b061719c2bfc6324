// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures how costs grow. */
@Command(
        name = "curves",
        mixinStandardHelpOptions = true,
        description = "How the cost of a command"
                + " grows with its size, with how many are under way, and with workers and hosts, beside"
                + " its peers: tables, slopes in words, and an SVG each. All is a multiple of a reference"
                + " that is measured in the same round.")
final class CurvesCommand implements Runnable {

    private static final int ROUNDS = 8;
    private static final int QUICK_ROUNDS = 3;

    @Option(names = "--quick", description = "Few points and rounds: in a minute and a half," + " instead of five.")
    private boolean quick;

    @Option(
            names = "--only",
            paramLabel = "PATTERN",
            defaultValue = "",
            description = "Only curves in whose title this regular expression is found.")
    private String only;

    @Option(
            names = "--plots",
            defaultValue = "target/bench/plots",
            description = "Where the plots go (default: ${DEFAULT-VALUE}).")
    private Path plots;

    @Option(names = "--write", description = "Puts the tables into docs/latency.md, and the plots" + " beside it.")
    private boolean write;

    @Override
    public void run() {
        var results = measure(quick, Pattern.compile(only, Pattern.CASE_INSENSITIVE));
        if (write) {
            write(results, quick);
        } else {
            draw(results, plots);
            System.out.printf("%s%nThe plots are in %s%n", text(results), plots);
        }
    }

    /** Measures those whose title has the pattern. */
    static List<CurveResults> measure(boolean quick, Pattern pattern) {
        try (var run = new CurveRun(quick ? QUICK_ROUNDS : ROUNDS)) {
            return new Curves(quick)
                    .all().stream()
                            .filter(curve -> pattern.matcher(curve.title()).find())
                            .map(run::run)
                            .toList();
        }
    }

    /** Puts them into the page, and the plots beside it. */
    static void write(List<CurveResults> results, boolean quick) {
        draw(results, LatencyPage.PLOTS);
        LatencyPage.replace("curves", "curves" + (quick ? " --quick" : ""), text(results));
    }

    private static void draw(List<CurveResults> results, Path folder) {
        results.forEach(curve -> LatencyPage.write(folder.resolve(curve.fileName()), curve.plot()));
    }

    private static String text(List<CurveResults> results) {
        return results.stream().map(CurveResults::text).collect(Collectors.joining("\n"));
    }
}
