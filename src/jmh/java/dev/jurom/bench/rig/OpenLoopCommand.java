// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures at a fixed rate. */
@Command(
        name = "open-loop",
        mixinStandardHelpOptions = true,
        description =
                "Commands at a fixed" + " rate, each timed from when it was due: percentiles as a table and as an SVG.")
final class OpenLoopCommand implements Runnable {

    /** What the plot is called. */
    private static final String PLOT = "open-loop.svg";

    @Option(names = "--rate", defaultValue = "5000", description = "Commands a second (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(
            names = "--seconds",
            defaultValue = "20",
            description = "How long for each subject (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--plots",
            defaultValue = "target/bench/plots",
            description = "Where the plot goes (default: ${DEFAULT-VALUE}).")
    private Path plots;

    @Option(names = "--write", description = "Puts the table into docs/latency.md, and the plot" + " beside it.")
    private boolean write;

    @Override
    public void run() {
        if (write) {
            write(rate, seconds);
            return;
        }
        var result = OpenLoop.run(rate, seconds);
        LatencyPage.write(plots.resolve(PLOT), result.plot());
        System.out.printf("%s%nThe plot is in %s%n", result.text(), plots.resolve(PLOT));
    }

    /** Measures, and puts what came of it into the page. */
    static void write(int rate, int seconds) {
        var result = OpenLoop.run(rate, seconds);
        LatencyPage.write(LatencyPage.PLOTS.resolve(PLOT), result.plot());
        LatencyPage.replace("open-loop", "open-loop --rate " + rate + " --seconds " + seconds, result.text());
    }
}
