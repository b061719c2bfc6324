// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.soak;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.PositiveNumber;
import dev.jurom.cli.shell.Table;
import dev.jurom.proof.process.Folders;
import dev.jurom.proof.report.Transcript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code urom soak}: checks that resources do not grow while hosts work, connect, spawn workers and are
 * killed. The exit code is 1 if a resource grows or the watched host was disturbed.
 */
@Command(
        name = "soak",
        description = {
            "Check that memory, descriptors, threads and files do not grow during load and disturbances.",
            "Starts a private service and hosts. The disturbances are drawn from the seed. They never affect"
                    + " one host and its worker, which are measured together with the service."
        })
public final class SoakCommand implements Callable<Integer> {

    private static final int WARM_UP_SHARE = 5; // a fifth of the time
    private static final int WARM_UP_MOST = 120; // samples

    @Option(
            names = "--minutes",
            paramLabel = "M",
            defaultValue = "5",
            converter = PositiveNumber.class,
            description = "Duration in minutes (default: ${DEFAULT-VALUE}).")
    private int minutes;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the disturbances (default: random, printed).")
    private Long seed;

    @Option(
            names = "--faults",
            paramLabel = "PREFIX",
            description = "Use a build with fault points and inject faults, too; scripts/build-faults installs one in"
                    + " target/faults.")
    private Path faults;

    @Option(names = "--plot", paramLabel = "FILE", description = "Draw a plot as SVG.")
    private Path plot;

    @Option(names = "--write", description = "Write the output to docs/reliability.md and the plot to docs/plots.")
    private boolean write;

    @Mixin
    private Output output;

    private boolean failed;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var drawn = seed == null ? new Random().nextInt(Integer.MAX_VALUE) : seed;
        var transcript = new Transcript(output);
        if (faults != null) {
            System.setProperty("jurom.software.path", faults.toAbsolutePath().toString());
        }
        var run = new SoakRun(Duration.ofMinutes(minutes), drawn, faults != null);
        var folder = Files.createTempDirectory("urom-soak");
        try {
            run.run(folder);
        } finally {
            Folders.delete(folder);
        }
        report(run, transcript, drawn);
        var drawing = new SoakPlot(run.samples(), minutes)
                .draw(minutes + " minutes of load and disturbances", run.disturbances());
        if (plot != null) {
            Files.writeString(plot, drawing);
        }
        if (write) {
            transcript.write(
                    "soak",
                    "Soak",
                    "scripts/urom soak --minutes " + minutes + " --seed " + drawn
                            + (faults == null ? "" : " --faults " + faults),
                    "\n![Resources over time](plots/soak.svg)\n");
            Files.writeString(Transcript.file("docs/plots/soak.svg"), drawing);
        }
        return failed ? ExitCode.FOUND_WRONG : ExitCode.DONE;
    }

    private void report(SoakRun run, Transcript transcript, long drawn) {
        var samples = run.samples();
        var warmUp = Math.min(WARM_UP_MOST, samples.size() / WARM_UP_SHARE);
        var counted = samples.subList(warmUp, samples.size());
        transcript.say(
                "%d minutes, %d samples, of which %d for warm-up; seed %d", minutes, samples.size(), warmUp, drawn);
        transcript.say("disturbances: " + run.disturbances());
        run.words().forEach(word -> transcript.say("%s", word));
        var table = Table.of("quantity", "first_tenth", "last_tenth", "per_minute", "limit", "");
        for (var quantity : Quantity.ALL) {
            var growth = Growth.of(quantity.values(counted));
            var minute = growth.slope() * samples.size() / minutes;
            var grows = minute > quantity.limit();
            failed |= grows;
            table.row(
                    quantity.name() + unit(quantity),
                    number(growth.first()),
                    number(growth.last()),
                    number(minute),
                    number(quantity.limit()),
                    grows ? "GROWS" : "");
        }
        transcript.say(table);
        var disturbed = run.words().stream().filter(SoakCommand::isFailure).toList();
        disturbed.forEach(word -> transcript.say("FAILED: %s", word));
        failed |= !disturbed.isEmpty();
        transcript.say(failed ? "a quantity grows or the host was disturbed" : "nothing grows");
    }

    /** Returns whether a line reports a failure of the watched host, a hang or a failed answer. */
    private static boolean isFailure(String word) {
        return word.contains(" x ")
                && (word.startsWith("watched host") || word.contains("WRONG:") || word.contains("HANG:"));
    }

    private static String unit(Quantity quantity) {
        return switch (quantity.unit()) {
            case MEMORY, HEAP -> " (" + quantity.unit().label() + ")";
            default -> "";
        };
    }

    private static Double number(double value) {
        return Double.valueOf(String.format(Locale.ROOT, "%.2f", value));
    }
}
