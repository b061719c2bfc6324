// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures at a fixed rate. */
@Command(name = "open-loop", description = "Commands at a fixed rate, each timed from when it was"
        + " due: percentiles as a table and as an SVG.")
final class OpenLoopCommand implements Runnable {

    @Option(names = "--rate", defaultValue = "5000",
            description = "Commands a second (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(names = "--seconds", defaultValue = "20",
            description = "How long for each subject (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--plot", defaultValue = "target/bench/open-loop.svg",
            description = "Where the plot goes (default: ${DEFAULT-VALUE}).")
    private Path plot;

    @Override
    public void run() {
        var result = OpenLoop.run(rate, seconds);
        System.out.printf("%s%n%s%n%n%s%n%nThe plot is in %s%n", result.table(),
                result.cores(), String.join(System.lineSeparator(), Machine.summary()), plot);
        try {
            Files.writeString(plot, result.plot());
        } catch (IOException e) {
            throw new UncheckedIOException("The plot could not be written to " + plot, e);
        }
    }
}
