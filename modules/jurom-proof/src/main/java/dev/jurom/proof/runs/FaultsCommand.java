// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.PositiveNumber;
import dev.jurom.proof.faults.FaultList;
import dev.jurom.proof.runs.job.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code urom faults}: seeded runs with faults. */
@Command(
        name = "faults",
        description = "Run a service, workers and hosts as processes with faults drawn from a seed, and check that no"
                + " command is lost and no process hangs.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {ExitCode.DONE_IS, ExitCode.FOUND_WRONG_IS, ExitCode.USAGE_IS, ExitCode.UNEXPECTED_IS})
public final class FaultsCommand implements Callable<Integer> {

    private static final String PAGE = "docs/reliability.md";
    private static final Path ROOT = Path.of(System.getProperty("jurom.source", "."));
    private static final int MAX_SEED = 1_000_000;

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "500",
            converter = PositiveNumber.class,
            description = "Number of runs (default: ${DEFAULT-VALUE}).")
    private int runs;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Seed of the runs; the same seed repeats the same runs (default: random, printed).")
    private Long seed;

    @Option(names = "--run", paramLabel = "Y", description = "Repeat only this run.")
    private Integer run;

    @Option(
            names = "--times",
            paramLabel = "N",
            defaultValue = "1",
            converter = PositiveNumber.class,
            description = "Number of repetitions with --run (default: ${DEFAULT-VALUE}).")
    private int times;

    @Option(
            names = "--jobs",
            paramLabel = "J",
            description = "Number of concurrent runs (default: twice the number of cores).")
    private Integer jobs;

    @Option(names = "--history", description = "Print the events of each run with their times.")
    private boolean history;

    @Option(names = "--write", description = "Write the output to " + PAGE + ".")
    private boolean write;

    @Mixin
    private FaultList list;

    @Mixin
    private Output output;

    private FaultsCommand() {}

    @Override
    public Integer call() throws Exception {
        if (list.isRequested()) {
            list.print(output);
            return ExitCode.DONE;
        }
        var chosen = seed != null ? seed : new SecureRandom().nextInt(MAX_SEED);
        var numbers = numbers();
        var parallel = Math.min(
                numbers.size(),
                Optional.ofNullable(jobs).orElse(2 * Runtime.getRuntime().availableProcessors()));
        output.printLine("seed " + chosen + ", " + numbers.size() + " runs, " + parallel + " at a time");
        var tally = new Runs(chosen, Installation.in(ROOT), output::printLine, history).run(numbers, parallel);
        tally.lines().forEach(output::printLine);
        if (write) {
            write(chosen, numbers.size(), tally);
        }
        return tally.passes() ? ExitCode.DONE : ExitCode.FOUND_WRONG;
    }

    private List<Integer> numbers() {
        return run == null
                ? IntStream.rangeClosed(1, runs).boxed().toList()
                : Stream.generate(() -> run).limit(times).toList();
    }

    /** Replaces the section between {@code <!-- begin runs -->} and {@code <!-- end runs -->} of the page. */
    private static void write(long seed, int runs, Tally tally) throws IOException {
        var section = """
                <!-- begin runs -->

                ## Seeded runs

                ```
                $ scripts/urom faults --runs %d --seed %d
                %s
                ```

                <!-- end runs -->""".formatted(runs, seed, String.join("\n", tally.lines()));
        var page = ROOT.resolve(PAGE);
        Files.writeString(
                page,
                Files.readString(page)
                        .replaceFirst("(?s)<!-- begin runs -->.*<!-- end runs -->", Matcher.quoteReplacement(section)));
    }
}
