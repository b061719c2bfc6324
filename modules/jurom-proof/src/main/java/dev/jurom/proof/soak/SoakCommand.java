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
 * {@code urom soak}: whether anything grows while hosts work, connect, spawn and are killed. Exit
 * code 1 if something grows, or if the host that nobody disturbs was disturbed.
 */
@Command(
        name = "soak",
        description = {
            "Looks for growth of memory, descriptors, threads and files"
                    + " while hosts give commands, connect, spawn workers, and much goes wrong.",
            "It starts a service and hosts of its own. What goes wrong is drawn from the seed; it spares one"
                    + " host and its worker, which are watched, as the service is."
        })
public final class SoakCommand implements Callable<Integer> {

    private static final int WARM_UP_SHARE = 5; // of the time
    private static final int WARM_UP_MOST = 120; // samples

    @Option(
            names = "--minutes",
            paramLabel = "M",
            defaultValue = "5",
            converter = PositiveNumber.class,
            description = "For how long (default: ${DEFAULT-VALUE}).")
    private int minutes;

    @Option(names = "--seed", paramLabel = "N", description = "What the mischief is drawn from (default: a fresh one).")
    private Long seed;

    @Option(
            names = "--faults",
            paramLabel = "PREFIX",
            description = "Use a build with fault points, which scripts/build-faults installs in"
                    + " target/faults, and draw faults at them, too.")
    private Path faults;

    @Option(names = "--plot", paramLabel = "FILE", description = "Draw it, as an SVG.")
    private Path plot;

    @Option(names = "--write", description = "Put it into docs/reliability.md, and the plot into docs/plots.")
    private boolean write;

    @Mixin
    private Output output;

    private boolean wrong;

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
        var drawing =
                new SoakPlot(run.samples(), minutes).draw(minutes + " minutes of load and mischief", run.mischief());
        if (plot != null) {
            Files.writeString(plot, drawing);
        }
        if (write) {
            transcript.write(
                    "soak",
                    "Soak",
                    "scripts/urom soak --minutes " + minutes + " --seed " + drawn
                            + (faults == null ? "" : " --faults " + faults),
                    "\n![What there is over time](plots/soak.svg)\n");
            Files.writeString(Transcript.file("docs/plots/soak.svg"), drawing);
        }
        return wrong ? ExitCode.FOUND_WRONG : ExitCode.DONE;
    }

    private void report(SoakRun run, Transcript transcript, long drawn) {
        var samples = run.samples();
        var warmUp = Math.min(WARM_UP_MOST, samples.size() / WARM_UP_SHARE);
        var counted = samples.subList(warmUp, samples.size());
        transcript.say(
                "%d minutes, %d samples, of which %d to warm up; seed %d", minutes, samples.size(), warmUp, drawn);
        transcript.say("mischief: " + run.mischief());
        run.words().forEach(word -> transcript.say("%s", word));
        var table = Table.of("what", "first_tenth", "last_tenth", "a_minute", "limit", "");
        for (var quantity : Quantity.ALL) {
            var growth = Growth.of(quantity.values(counted));
            var minute = growth.slope() * samples.size() / minutes;
            var grows = minute > quantity.limit();
            wrong |= grows;
            table.row(
                    quantity.name() + unit(quantity),
                    number(growth.first()),
                    number(growth.last()),
                    number(minute),
                    number(quantity.limit()),
                    grows ? "GROWS" : "");
        }
        transcript.say(table);
        var disturbed = run.words().stream().filter(SoakCommand::isWrong).toList();
        disturbed.forEach(word -> transcript.say("WRONG: %s", word));
        wrong |= !disturbed.isEmpty();
        transcript.say(wrong ? "something grows or was disturbed" : "nothing grows");
    }

    /** The watched host fails never, and nobody hangs or is answered wrongly. */
    private static boolean isWrong(String word) {
        return word.contains(" x ")
                && (word.startsWith("watched host") || word.contains("WRONG:") || word.contains("HANGS:"));
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
