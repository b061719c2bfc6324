// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import dev.jurom.Urom;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.Table;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.proof.process.ChildProgram;
import dev.jurom.proof.process.JavaProgram;
import dev.jurom.proof.process.ServiceProcess;
import dev.jurom.proof.report.Transcript;
import dev.jurom.urom.ServiceFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A service, a legitimate host, and concurrent clients that connect and disconnect in rounds. */
final class LoadRun {

    private static final Duration CONNECTING = Duration.ofMinutes(10);
    private static final Duration WARM_UP = Duration.ofSeconds(1);
    private static final long WORKER = 1000; // of the legitimate host; those of the clients begin at 1

    private final ServiceProcess service;
    private final LoadSettings settings;
    private final Transcript transcript;
    private final Path key;
    private final List<Round> rounds = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    LoadRun(ServiceProcess service, LoadSettings settings, Transcript transcript, Path key) {
        this.service = service;
        this.settings = settings;
        this.transcript = transcript;
        this.key = key;
    }

    /** Runs all rounds against the service or a worker; returns whether a check failed. */
    boolean run(String target) throws IOException, InterruptedException {
        var time = Duration.ofSeconds(settings.seconds);
        try (var urom = Urom.open();
                var worker = start(urom, WORKER);
                var other = start(urom, WORKER + 1);
                var clients = startClients(target)) {
            Latencies.of(urom, worker, other, WARM_UP);
            var base = ResourceSnapshot.of(service);
            var table = ResourceSnapshot.table();
            base.row(table, "at start");
            List<String> status = List.of();
            for (var i = 1; i <= settings.rounds; i++) {
                var alone = Latencies.of(urom, worker, other, time);
                var begin = System.nanoTime();
                clients.request("connect", CONNECTING);
                var connected = System.nanoTime();
                rounds.add(new Round(alone, Latencies.of(urom, worker, other, time)));
                ResourceSnapshot.of(service).row(table, "with clients " + i);
                status = clients.request("status", CONNECTING);
                clients.request("disconnect", CONNECTING);
                var after = ResourceSnapshot.awaitReleased(service, base);
                after.row(table, "after round " + i);
                after.excess(base).forEach(failures::add);
                if (i == 1) {
                    transcript.say(
                            "Clients of the %s: connected in %.1f s, %d rounds of 2 x %d s",
                            target, (connected - begin) / 1e9, settings.rounds, settings.seconds);
                }
            }
            report(status, table);
        }
        return !failures.isEmpty();
    }

    private static Worker start(Urom urom, long id) {
        return urom.startWorker(
                WorkerConfiguration.builder(GraphPlugin.NAME).id(id).build());
    }

    private ChildProgram startClients(String target) throws IOException {
        var words = new ArrayList<>(List.of("socket=" + service.socket(), "silent=" + settings.silent));
        switch (target) {
            case "service" ->
                words.addAll(List.of(
                        "port=" + service.port(1),
                        "key=" + key,
                        "directory=" + service.directory(),
                        "idle=" + settings.idle,
                        "idle-tls=" + settings.idleTls,
                        "silent-tls=" + settings.silentTls,
                        "garbage=" + settings.garbage,
                        "hosts=" + settings.hosts,
                        "workers=" + settings.workers,
                        "rate=" + settings.rate));
            case "worker" ->
                words.addAll(List.of(
                        "worker=" + WORKER, "unattached=" + settings.unattached, "attached=" + settings.attached));
            default -> throw new CommandFailure(ExitCode.USAGE, "--target takes service and worker, not " + target);
        }
        var builder =
                new ProcessBuilder(JavaProgram.command(LoadMain.class, List.of("-Xmx1g", "-XX:+UseSerialGC"), words));
        builder.environment().put(ServiceFile.VARIABLE, service.serviceFile().toString());
        return ChildProgram.start(builder);
    }

    private void report(List<String> status, Table table) {
        var clients = Table.of("clients", "requested", "connected", "note");
        status.stream()
                .map(GroupStatus::fields)
                .forEach(row -> clients.row(
                        row.get(0), Integer.parseInt(row.get(1)), Integer.parseInt(row.get(2)), row.get(4)));
        transcript.say(clients);
        status.stream()
                .map(GroupStatus::fields)
                .filter(row -> !row.get(3).isEmpty())
                .forEach(row -> transcript.say("  %s: %s", row.get(0), row.get(3)));
        transcript.say(table);
        for (var percentile : new double[] {50, 99}) {
            transcript.say("command    p%.0f %s", percentile, Round.describe(rounds, Latencies::commands, percentile));
            transcript.say(
                    "connection p%.0f %s", percentile, Round.describe(rounds, Latencies::connections, percentile));
        }
        if (!service.isAlive()) {
            failures.add("the service exited");
        }
        failures.forEach(what -> transcript.say("FAILED: %s", what));
        if (failures.isEmpty()) {
            transcript.say("all resources released");
        }
        transcript.say("");
    }
}
