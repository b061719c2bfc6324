// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

    @Mixin
    private ServiceOptions service;

    @Mixin
    private RawOption raw;

    @Override
    public void run() {
        var results = measure();
        if (write) {
            write(results, "ratios --rounds " + rounds + (only.isEmpty() ? "" : " --only '" + only + "'"));
        } else {
            System.out.printf("%s%n%s", results.ratiosText(), results.subjectsText());
        }
    }

    /** Writes the results and the properties of the machine to the page. */
    private static void write(RatioResults results, String command) {
        Page.LATENCY.replace("main", command, results.mainText());
        Page.LATENCY.replace("ratios", command, Machine.list() + "\n\n" + results.ratiosText());
        Page.LATENCY.replace("subjects", command, results.subjectsText());
    }

    private RatioResults measure() {
        var services = service.open();
        var pattern = Pattern.compile(only, Pattern.CASE_INSENSITIVE);
        var comparisons = Subjects.comparisons(pattern).stream()
                .filter(comparison ->
                        services.supports(comparison.numerator()) && services.supports(comparison.denominator()))
                .toList();
        var limits = Subjects.limits().stream()
                .filter(limit -> pattern.matcher(limit.name()).find())
                .toList();
        if (comparisons.isEmpty() && limits.isEmpty()) {
            throw new IllegalArgumentException(
                    "no comparison that the services support has a name that contains \"" + only + "\"");
        }
        try (var ignored = raw.open();
                var run = new RatioRun(comparisons, limits, services, raw)) {
            return run.run(rounds);
        }
    }
}
