// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code scripts/bench report}: executes all measurements and updates docs/latency.md. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        description = "Execute all measurements (in about 15 minutes) and write the results to docs/latency.md and"
                + " docs/plots.")
final class ReportCommand implements Runnable {

    private static final int RATE = 5000;

    @Option(
            names = "--rounds",
            defaultValue = "30",
            description = "Number of rounds of each comparison (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--seconds",
            defaultValue = "20",
            description = "Duration for each subject at a fixed rate in seconds (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--quick", description = "Measure curves with few points, and microbenchmarks with low precision.")
    private boolean quick;

    @Override
    public void run() {
        var all = Pattern.compile("");
        RatiosCommand.write(RatiosCommand.measure(rounds, all), "ratios --rounds " + rounds);
        CurvesCommand.write(CurvesCommand.measure(quick, all), quick);
        OpenLoopCommand.write(RATE, seconds);
        SyscallsCommand.write();
        Microbenchmarks.write("", quick);
    }
}
