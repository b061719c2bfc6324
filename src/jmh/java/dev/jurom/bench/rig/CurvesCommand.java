// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code scripts/bench curves}: costs over size, depth, workers and hosts. */
@Command(
        name = "curves",
        mixinStandardHelpOptions = true,
        description = "Measure the cost of a command by size, depth, workers and hosts, together with alternatives."
                + " Prints tables and descriptions of the growth, and draws an SVG for each. All values"
                + " are multiples of a reference that is measured in the same round.")
final class CurvesCommand implements Runnable {

    private static final int ROUNDS = 8;
    private static final int QUICK_ROUNDS = 3;

    @Option(names = "--quick", description = "Measure few points and rounds, in 1.5 minutes instead of 5.")
    private boolean quick;

    @Option(
            names = "--only",
            paramLabel = "PATTERN",
            defaultValue = "",
            description = "Measure only curves with a title that contains this regular expression.")
    private String only;

    @Option(
            names = "--plots",
            defaultValue = "target/bench/plots",
            description = "Folder of the plots (default: ${DEFAULT-VALUE}).")
    private Path plots;

    @Option(names = "--write", description = "Write the tables to docs/latency.md and the plots to docs/plots.")
    private boolean write;

    @Override
    public void run() {
        var results = measure(quick, Pattern.compile(only, Pattern.CASE_INSENSITIVE));
        if (write) {
            write(results, quick);
        } else {
            draw(results, plots);
            System.out.printf("%s%nPlots written to %s%n", text(results), plots);
        }
    }

    /** Measures the curves with a title that contains the pattern. */
    static List<CurveResults> measure(boolean quick, Pattern pattern) {
        try (var run = new CurveRun(quick ? QUICK_ROUNDS : ROUNDS)) {
            return new Curves(quick)
                    .all().stream()
                            .filter(curve -> pattern.matcher(curve.title()).find())
                            .map(run::run)
                            .toList();
        }
    }

    /** Writes the results to the page and the plots beside it. */
    static void write(List<CurveResults> results, boolean quick) {
        draw(results, Page.PLOTS);
        Page.LATENCY.replace("curves", "curves" + (quick ? " --quick" : ""), text(results));
    }

    private static void draw(List<CurveResults> results, Path folder) {
        results.forEach(curve -> Page.write(folder.resolve(curve.fileName()), curve.plot()));
    }

    private static String text(List<CurveResults> results) {
        return results.stream().map(CurveResults::text).collect(Collectors.joining("\n"));
    }
}
