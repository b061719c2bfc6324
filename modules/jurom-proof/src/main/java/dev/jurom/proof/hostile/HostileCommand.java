// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.hostile;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.PositiveNumber;
import dev.jurom.proof.process.Folders;
import dev.jurom.proof.process.NativePrograms;
import dev.jurom.proof.report.ReliabilityPage;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code urom hostile}: 8 hostile peers attack while hosts of 4 workers are served. */
@Command(
        name = "hostile",
        description = "Attack a service and its workers while other hosts are served.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {ExitCode.DONE_IS, ExitCode.FOUND_WRONG_IS})
public final class HostileCommand implements Callable<Integer> {

    private static final double FACTOR = 2;

    @Option(
            names = "--frames",
            paramLabel = "N",
            defaultValue = "1000000",
            converter = PositiveNumber.class,
            description = "Total number of frames, handshakes and ring contents (default: ${DEFAULT-VALUE}).")
    private int frames;

    @Option(names = "--seed", paramLabel = "S", description = "Seed of the attacks (default: random, printed).")
    private Long seed;

    @Option(names = "--write", description = "Write the output to docs/reliability.md.")
    private boolean write;

    private final List<String> lines = new ArrayList<>();

    private HostileCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        var chosen = seed != null ? seed : new Random().nextLong(1_000_000);
        print("seed " + chosen);
        var programs =
                NativePrograms.build("urom_worker", "worker_graph", "worker_puppet", "kill_host", "hostile_peer");
        var folder = Files.createTempDirectory("jurom-hostile-");
        var keys = Files.createDirectory(folder.resolve("keys"));
        HostileLoad load;
        try (var service = programs.startService(Files.createDirectory(folder.resolve("service")), Keys.make(keys))) {
            load = new HostileLoad(programs, service, keys.resolve("host"), chosen);
            load.run(frames);
        } finally {
            Folders.delete(folder);
        }
        report(load);
        if (write) {
            ReliabilityPage.write(
                    NativePrograms.repository().resolve("docs/reliability.md"),
                    "hostile",
                    "## Hostile peers\n\n```\n$ scripts/urom hostile --frames " + frames + " --seed " + chosen + "\n"
                            + String.join("\n", lines) + "\n```");
        }
        return load.violations().isEmpty() && load.ratio() <= FACTOR ? ExitCode.DONE : ExitCode.FOUND_WRONG;
    }

    private void report(HostileLoad load) {
        load.table().lines().forEach(this::print);
        print(String.format(
                Locale.ROOT,
                "hosts of 4 workers: p50 %.0f us undisturbed, %.0f us under"
                        + " attack, ratio %.2f (median of %d rounds, at most %.1f); p99 ratio %.2f",
                load.quietMicros(),
                load.attackedMicros(),
                load.ratio(),
                load.rounds(),
                FACTOR,
                load.tailRatio()));
        print(load.answers() + " answers, " + load.violations().size() + " violations");
        load.violations().forEach(violation -> print("    VIOLATION " + violation));
    }

    private void print(String line) {
        lines.add(line);
        System.out.println(line);
    }
}
