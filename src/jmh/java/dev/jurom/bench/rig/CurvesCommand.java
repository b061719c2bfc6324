// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

    @Mixin
    private ServiceOptions service;

    @Mixin
    private RawOption raw;

    @Override
    public void run() {
        var results = measure();
        if (write) {
            write(results);
        } else {
            draw(results, plots);
            System.out.printf("%s%nPlots written to %s%n", text(results), plots);
        }
    }

    private List<CurveResults> measure() {
        var services = service.open();
        var pattern = Pattern.compile(only, Pattern.CASE_INSENSITIVE);
        var curves = new Curves(quick)
                .all().stream()
                        .filter(curve -> services.supports(curve.reference()))
                        .filter(curve -> pattern.matcher(curve.title()).find())
                        .toList();
        if (curves.isEmpty()) {
            throw new IllegalArgumentException("no curve has a title that contains \"" + only + "\"");
        }
        try (var ignored = raw.open();
                var run = new CurveRun(quick ? QUICK_ROUNDS : ROUNDS, services, raw)) {
            return curves.stream().map(run::run).toList();
        }
    }

    /** Writes the results to the page and the plots beside it. */
    private void write(List<CurveResults> results) {
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
