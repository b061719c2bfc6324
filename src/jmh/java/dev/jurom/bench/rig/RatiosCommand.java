// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code scripts/bench ratios}: comparisons of subjects. */
@Command(
        name = "ratios",
        mixinStandardHelpOptions = true,
        description = "Compare UROM with lower bounds and alternatives in interleaved rounds. Prints a table of"
                + " ratios and their goals.")
final class RatiosCommand implements Runnable {

    @Option(
            names = "--rounds",
            defaultValue = "30",
            description = "Number of rounds of each comparison (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--only",
            paramLabel = "PATTERN",
            defaultValue = "",
            description = "Run only comparisons with a name that contains this regular expression.")
    private String only;

    @Option(names = "--write", description = "Write the tables to docs/latency.md.")
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

    /** Writes the results and the properties of the machine to the page. */
    static void write(RatioResults results, String command) {
        Page.LATENCY.replace("main", command, results.mainText());
        Page.LATENCY.replace("ratios", command, Machine.list() + "\n\n" + results.ratiosText());
        Page.LATENCY.replace("subjects", command, results.subjectsText());
    }

    /** Executes the comparisons with a name that contains the pattern. */
    static RatioResults measure(int rounds, Pattern pattern) {
        var comparisons = Subjects.comparisons().stream()
                .filter(comparison -> pattern.matcher(comparison.name()).find())
                .toList();
        var limits = Subjects.limits().stream()
                .filter(limit -> pattern.matcher(limit.name()).find())
                .toList();
        if (comparisons.isEmpty() && limits.isEmpty()) {
            throw new IllegalArgumentException("no comparison matches \"" + pattern + "\"");
        }
        try (var run = new RatioRun(comparisons, limits)) {
            return run.run(rounds);
        }
    }
}
