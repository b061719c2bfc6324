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

/** A service, a legitimate host, and a crowd that comes and goes a few times. */
final class LoadRun {

    private static final Duration GATHERING = Duration.ofMinutes(10);
    private static final Duration WARM_UP = Duration.ofSeconds(1);
    private static final long WORKER = 1000; // of the legitimate host; the crowd's begin at 1

    private final ServiceProcess service;
    private final LoadSettings settings;
    private final Transcript transcript;
    private final Path key;
    private final List<Round> rounds = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();

    LoadRun(ServiceProcess service, LoadSettings settings, Transcript transcript, Path key) {
        this.service = service;
        this.settings = settings;
        this.transcript = transcript;
        this.key = key;
    }

    /** Runs all rounds around the service or the worker; whether something was wrong. */
    boolean around(String what) throws IOException, InterruptedException {
        var time = Duration.ofSeconds(settings.seconds);
        try (var urom = Urom.open();
                var worker = start(urom, WORKER);
                var other = start(urom, WORKER + 1);
                var crowd = crowd(what)) {
            Latencies.of(urom, worker, other, WARM_UP);
            var base = Base.of(service);
            var table = Base.table();
            base.row(table, "before");
            List<String> standing = List.of();
            for (var i = 1; i <= settings.rounds; i++) {
                var alone = Latencies.of(urom, worker, other, time);
                var begin = System.nanoTime();
                crowd.ask("gather", GATHERING);
                var gathered = System.nanoTime();
                rounds.add(new Round(alone, Latencies.of(urom, worker, other, time)));
                Base.of(service).row(table, "crowd " + i);
                standing = crowd.ask("look", GATHERING);
                crowd.ask("disperse", GATHERING);
                var after = Base.awaited(service, base);
                after.row(table, "after " + i);
                after.beyond(base).forEach(wrong::add);
                if (i == 1) {
                    transcript.say(
                            "Around the %s: gathered in %.1f s, %d rounds of 2 x %d s",
                            what, (gathered - begin) / 1e9, settings.rounds, settings.seconds);
                }
            }
            report(standing, table);
        }
        return !wrong.isEmpty();
    }

    private static Worker start(Urom urom, long id) {
        return urom.startWorker(
                WorkerConfiguration.builder(GraphPlugin.NAME).id(id).build());
    }

    private ChildProgram crowd(String what) throws IOException {
        var words = new ArrayList<>(List.of("socket=" + service.socket(), "silent=" + settings.silent));
        switch (what) {
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
                words.addAll(List.of("worker=" + WORKER, "guests=" + settings.guests, "attached=" + settings.attached));
            default -> throw new CommandFailure(ExitCode.USAGE, "--around takes service and" + " worker, not " + what);
        }
        var builder =
                new ProcessBuilder(JavaProgram.command(CrowdMain.class, List.of("-Xmx1g", "-XX:+UseSerialGC"), words));
        builder.environment().put(ServiceFile.VARIABLE, service.serviceFile().toString());
        return ChildProgram.start(builder);
    }

    private void report(List<String> standing, Table table) {
        var crowd = Table.of("crowd", "asked", "there", "note");
        standing.stream()
                .map(Standing::fields)
                .forEach(row ->
                        crowd.row(row.get(0), Integer.parseInt(row.get(1)), Integer.parseInt(row.get(2)), row.get(4)));
        transcript.say(crowd);
        standing.stream()
                .map(Standing::fields)
                .filter(row -> !row.get(3).isEmpty())
                .forEach(row -> transcript.say("  %s: %s", row.get(0), row.get(3)));
        transcript.say(table);
        for (var percentile : new double[] {50, 99}) {
            transcript.say("command    p%.0f %s", percentile, Round.describe(rounds, Latencies::commands, percentile));
            transcript.say(
                    "connection p%.0f %s", percentile, Round.describe(rounds, Latencies::connections, percentile));
        }
        if (!service.isAlive()) {
            wrong.add("the service has ended");
        }
        wrong.forEach(what -> transcript.say("WRONG: %s", what));
        if (wrong.isEmpty()) {
            transcript.say("everything is back where it was");
        }
        transcript.say("");
    }
}
