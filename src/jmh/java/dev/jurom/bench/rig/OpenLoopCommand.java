// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code scripts/bench open-loop}: latency at a fixed rate. */
@Command(
        name = "open-loop",
        mixinStandardHelpOptions = true,
        description = "Measure the latency of commands at a fixed rate from their due times. Prints a table of"
                + " percentiles and draws an SVG.")
final class OpenLoopCommand implements Callable<Integer> {

    /** The name of the plot file. */
    private static final String PLOT = "open-loop.svg";

    @Option(names = "--rate", defaultValue = "5000", description = "Commands per second (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(
            names = "--seconds",
            defaultValue = "20",
            description = "Duration for each subject in seconds (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--plots",
            defaultValue = "target/bench/plots",
            description = "Folder of the plot (default: ${DEFAULT-VALUE}).")
    private Path plots;

    @Option(names = "--write", description = "Write the table to docs/latency.md and the plot to docs/plots.")
    private boolean write;

    @Mixin
    private ServiceOptions service;

    @Mixin
    private RawOption raw;

    @Override
    public Integer call() throws InterruptedException {
        var services = service.open();
        OpenLoop result;
        try (var ignored = raw.open()) {
            result = OpenLoop.run(rate, seconds, services, raw);
        }
        if (write) {
            Page.write(Page.PLOTS.resolve(PLOT), result.plot());
            Page.LATENCY.replace("open-loop", "open-loop --rate " + rate + " --seconds " + seconds, result.text());
            return 0;
        }
        Page.write(plots.resolve(PLOT), result.plot());
        System.out.printf("%s%nPlot written to %s%n", result.text(), plots.resolve(PLOT));
        return 0;
    }
}
