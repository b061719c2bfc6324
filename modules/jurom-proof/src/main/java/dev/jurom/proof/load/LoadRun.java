// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import dev.jurom.Urom;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.cli.shell.Table;
import dev.jurom.plugin.graph.GraphPlugin;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/** A service, a legitimate host, and concurrent clients that connect and disconnect in rounds. */
final class LoadRun {

    /** The worker of the legitimate host; those of the clients begin at 1. */
    static final long WORKER = 1000;

    private static final Duration WARM_UP = Duration.ofSeconds(1);

    private final ServiceProcess service;
    private final LoadSettings settings;
    private final Consumer<String> output;
    private final List<Round> rounds = new ArrayList<>();

    /** A measurement without clients, and one with clients just after it. */
    private record Round(Latencies alone, Latencies loaded) {}

    LoadRun(ServiceProcess service, LoadSettings settings, Consumer<String> output) {
        this.service = service;
        this.settings = settings;
        this.output = output;
    }

    /**
     * Runs all rounds; returns whether the service released all resources.
     *
     * @param clientOptions options of the clients
     */
    boolean run(List<String> clientOptions) throws IOException, InterruptedException {
        var time = Duration.ofSeconds(settings.seconds);
        var failures = new ArrayList<String>();
        var resources = ResourceSnapshot.table();
        List<String> status = List.of();
        try (var urom = Urom.open();
                var worker = start(urom, WORKER);
                var other = start(urom, WORKER + 1);
                var clients = new ClientProcess(service, clientOptions)) {
            Latencies.of(urom, worker, other, WARM_UP);
            var base = ResourceSnapshot.of(service);
            base.row(resources, "at start");
            for (var i = 1; i <= settings.rounds; i++) {
                var alone = Latencies.of(urom, worker, other, time);
                clients.request("connect");
                rounds.add(new Round(alone, Latencies.of(urom, worker, other, time)));
                ResourceSnapshot.of(service).row(resources, "with clients " + i);
                status = clients.request("status");
                clients.request("disconnect");
                var after = ResourceSnapshot.awaitReleased(service, base);
                after.row(resources, "after round " + i);
                failures.addAll(after.excess(base));
            }
        }
        if (!service.isAlive()) {
            failures.add("the service exited");
        }
        report(status, resources, failures);
        return failures.isEmpty();
    }

    private static Worker start(Urom urom, long id) {
        return urom.startWorker(
                WorkerConfiguration.builder(GraphPlugin.NAME).id(id).build());
    }

    private void report(List<String> status, Table resources, List<String> failures) {
        var rows = status.stream().map(ClientGroup::fields).toList();
        var clients = Table.of("clients", "requested", "connected", "note");
        rows.forEach(row -> clients.row(row[0], Integer.parseInt(row[1]), Integer.parseInt(row[2]), row[3]));
        clients.lines().forEach(output);
        rows.stream().filter(row -> !row[4].isEmpty()).forEach(row -> output.accept("  " + row[0] + ": " + row[4]));
        resources.lines().forEach(output);
        for (var percentile : new int[] {50, 99}) {
            output.accept("command    p" + percentile + " " + describe(Latencies::commands, percentile));
            output.accept("connection p" + percentile + " " + describe(Latencies::connections, percentile));
        }
        failures.forEach(what -> output.accept("FAILED: " + what));
        if (failures.isEmpty()) {
            output.accept("all resources released");
        }
    }

    /** Formats a percentile of both measurements and their ratio, as medians over all rounds. */
    private String describe(Function<Latencies, Histogram> kind, double percentile) {
        Function<Latencies, Double> value =
                latencies -> Math.max(1.0, kind.apply(latencies).getValueAtPercentile(percentile));
        return String.format(
                Locale.ROOT,
                "%9.1f us alone %10.1f us loaded  x %.2f",
                median(round -> value.apply(round.alone)) / 1e3,
                median(round -> value.apply(round.loaded)) / 1e3,
                median(round -> value.apply(round.loaded) / value.apply(round.alone)));
    }

    private double median(Function<Round, Double> figure) {
        var sorted = rounds.stream().map(figure).sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
