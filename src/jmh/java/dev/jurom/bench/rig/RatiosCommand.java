// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares everything with what it should be compared with. */
@Command(
        name = "ratios",
        mixinStandardHelpOptions = true,
        description = "Compares UROM with its"
                + " floors and with its peers, in interleaved rounds: a table of ratios, and whether they"
                + " are what they should be. What workers take that have nothing to do,"
                + " `scripts/urom footprint` says.")
final class RatiosCommand implements Runnable {

    @Option(
            names = "--rounds",
            defaultValue = "30",
            description = "How often each comparison runs (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--only",
            paramLabel = "PATTERN",
            defaultValue = "",
            description = "Only comparisons in whose name this regular expression is found.")
    private String only;

    @Option(names = "--write", description = "Puts the tables into docs/latency.md.")
    private boolean write;

    @Override
    public void run() {
        var results = measure(rounds, Pattern.compile(only, Pattern.CASE_INSENSITIVE));
        if (write) {
            write(results, "ratios --rounds " + rounds + (only.isEmpty() ? "" : " --only '" + only + "'"));
        } else {
            System.out.printf("%s%n%s", results.ratiosText(), results.subjectsText());
        }
    }

    /** Puts them, and where they were measured, into the page. */
    static void write(RatioResults results, String command) {
        LatencyPage.replace("ratios", command, Machine.list() + "\n\n" + results.ratiosText());
        LatencyPage.replace("subjects", command, results.subjectsText());
    }

    /** Runs those comparisons whose name has the pattern. */
    static RatioResults measure(int rounds, Pattern pattern) {
        var comparisons = Subjects.comparisons().stream()
                .filter(comparison -> pattern.matcher(comparison.name()).find())
                .toList();
        var limits = Subjects.limits().stream()
                .filter(limit -> pattern.matcher(limit.name()).find())
                .toList();
        if (comparisons.isEmpty() && limits.isEmpty()) {
            throw new IllegalArgumentException("No comparison has \"" + pattern + "\" in its name");
        }
        try (var run = new RatioRun(comparisons, limits)) {
            return run.run(rounds);
        }
    }
}
