// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures all there is and writes it down. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        description = "Measures everything (in"
                + " about a quarter of an hour) and puts it into docs/latency.md, with the plots beside"
                + " it.")
final class ReportCommand implements Runnable {

    private static final int RATE = 5000;

    @Option(
            names = "--rounds",
            defaultValue = "30",
            description = "How often each comparison runs (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--seconds",
            defaultValue = "20",
            description = "How long each subject runs at a fixed rate (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--quick",
            description = "Curves with few points, and microbenchmarks that are" + " too short to mean much.")
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
