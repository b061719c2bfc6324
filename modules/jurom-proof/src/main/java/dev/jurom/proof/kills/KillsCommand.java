// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.kills;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.proof.process.Folders;
import dev.jurom.proof.process.NativePrograms;
import dev.jurom.proof.process.ServiceProcess;
import dev.jurom.proof.process.SignalSender;
import dev.jurom.proof.report.ReliabilityPage;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code urom kills}: kills and stops processes, and checks that the others detect it in time or are not
 * affected.
 */
@Command(
        name = "kills",
        description = "Kill and stop workers, hosts and the service, and check the effects.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {ExitCode.DONE_IS, ExitCode.FOUND_WRONG_IS})
public final class KillsCommand implements Callable<Integer> {

    private static final String NONE = " (default: ${DEFAULT-VALUE}).";

    @Option(
            names = "--workers",
            paramLabel = "N",
            defaultValue = "300",
            description = "Number of workers to kill" + NONE)
    private int workers;

    @Option(names = "--hosts", paramLabel = "N", defaultValue = "300", description = "Number of hosts to kill" + NONE)
    private int hosts;

    @Option(
            names = "--daemons",
            paramLabel = "N",
            defaultValue = "100",
            description = "Number of times to kill the service" + NONE)
    private int daemons;

    @Option(
            names = "--stops",
            paramLabel = "N",
            defaultValue = "100",
            description = "Number of workers, hosts and services each to stop temporarily" + NONE)
    private int stops;

    @Option(
            names = "--steps",
            paramLabel = "none|some|all",
            defaultValue = "some",
            description = "At how many instructions of a ring operation to kill one end of a channel (default:"
                    + " ${DEFAULT-VALUE}).")
    private Steps.Extent steps;

    @Option(names = "--seed", paramLabel = "S", description = "Seed of the times and loads (default: random, printed).")
    private Long seed;

    @Option(names = "--write", description = "Write the output to docs/reliability.md.")
    private boolean write;

    private final List<String> lines = new ArrayList<>();
    private NativePrograms programs;
    private boolean failed;

    /** For picocli. */
    KillsCommand() {}

    /** A series of kills around a running service. */
    @FunctionalInterface
    private interface Campaign {
        void run(ServiceProcess service, KillFindings findings) throws IOException, InterruptedException;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        var chosen = seed != null ? seed : new Random().nextLong(1_000_000);
        var command = String.format(
                "scripts/urom kills --workers %d --hosts %d --daemons %d" + " --stops %d --steps %s --seed %d",
                workers, hosts, daemons, stops, steps, chosen);
        print("seed " + chosen);
        SignalSender.send(ProcessHandle.current().pid(), SignalSender.NONE); // links kill(2) before times are measured
        programs = NativePrograms.build("urom_worker", "worker_graph", "worker_puppet", "kill_host", "stepping_test");
        campaign(
                "workers",
                workers,
                (service, findings) -> new WorkerKills(programs, service, chosen, findings).run(workers));
        campaign("hosts", hosts, (service, findings) -> new HostKills(programs, service, chosen, findings).run(hosts));
        campaign(
                "service",
                daemons,
                (service, findings) -> new DaemonKills(programs, service, chosen, findings).run(daemons));
        campaign("stops", stops, (service, findings) -> new Stops(programs, service, chosen, findings).run(stops));
        if (steps != Steps.Extent.none) {
            failed |= !Steps.run(programs, steps, this::print);
        }
        if (write) {
            ReliabilityPage.write(
                    NativePrograms.repository().resolve("docs/reliability.md"),
                    "kills",
                    "## Kills\n\n```\n$ " + command + "\n" + String.join("\n", lines) + "\n```"
                            + (steps == Steps.Extent.none ? "" : "\n\n" + Steps.EXPLANATION));
        }
        return failed ? ExitCode.FOUND_WRONG : ExitCode.DONE;
    }

    private void print(String line) {
        lines.add(line);
        System.out.println(line);
    }

    private void campaign(String name, int count, Campaign campaign) throws IOException, InterruptedException {
        if (count == 0) {
            return;
        }
        var findings = new KillFindings(name);
        var begin = System.nanoTime();
        var folder = Files.createTempDirectory("jurom-kills-");
        try (var service = programs.startService(
                folder, List.of("--hang-timeout", Long.toString(Stops.HANG_TIMEOUT.toSeconds())))) {
            campaign.run(service, findings);
        }
        Folders.delete(folder); // kept with its logs if an exception is thrown
        findings.lines().forEach(this::print);
        print("    in " + (System.nanoTime() - begin) / 1_000_000_000 + " s");
        failed |= findings.hasViolations();
    }
}
