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

/** {@code urom hostile}: what 8 hostile peers do to those whom 4 workers serve. */
@Command(
        name = "hostile",
        description = "Attacks a service and its workers while others are served.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {ExitCode.DONE_IS, ExitCode.FOUND_WRONG_IS})
public final class HostileCommand implements Callable<Integer> {

    private static final double FACTOR = 2;

    @Option(
            names = "--frames",
            paramLabel = "N",
            defaultValue = "1000000",
            converter = PositiveNumber.class,
            description = "Frames, handshakes and ring contents in all (default: ${DEFAULT-VALUE}).")
    private int frames;

    @Option(names = "--seed", paramLabel = "S", description = "Of what the peers do (default: a fresh one, printed).")
    private Long seed;

    @Option(names = "--write", description = "Put what is printed into docs/reliability.md.")
    private boolean write;

    private final List<String> lines = new ArrayList<>();

    private HostileCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        var chosen = seed != null ? seed : new Random().nextLong(1_000_000);
        say("seed " + chosen);
        var programs =
                NativePrograms.build("urom_worker", "worker_graph", "worker_puppet", "kill_host", "hostile_peer");
        var folder = Files.createTempDirectory("jurom-hostile-");
        var keys = Files.createDirectory(folder.resolve("keys"));
        Siege siege;
        try (var service = programs.startService(Files.createDirectory(folder.resolve("service")), Keys.make(keys))) {
            siege = new Siege(programs, service, keys.resolve("host"), chosen);
            siege.run(frames);
        } finally {
            Folders.delete(folder);
        }
        report(siege);
        if (write) {
            ReliabilityPage.write(
                    NativePrograms.repository().resolve("docs/reliability.md"),
                    "hostile",
                    "## Hostile peers\n\n```\n$ scripts/urom hostile --frames " + frames + " --seed " + chosen + "\n"
                            + String.join("\n", lines) + "\n```");
        }
        return siege.violations().isEmpty() && siege.ratio() <= FACTOR ? ExitCode.DONE : ExitCode.FOUND_WRONG;
    }

    private void report(Siege siege) {
        siege.table().lines().forEach(this::say);
        say(String.format(
                Locale.ROOT,
                "hosts of 4 workers: p50 %.0f us undisturbed, %.0f us under"
                        + " attack, ratio %.2f (median of %d rounds, at most %.1f); p99 ratio %.2f",
                siege.quietMicros(),
                siege.attackedMicros(),
                siege.ratio(),
                siege.rounds(),
                FACTOR,
                siege.tailRatio()));
        say(siege.answers() + " of their answers, " + siege.violations().size() + " violations");
        siege.violations().forEach(violation -> say("    VIOLATION " + violation));
    }

    private void say(String line) {
        lines.add(line);
        System.out.println(line);
    }
}
