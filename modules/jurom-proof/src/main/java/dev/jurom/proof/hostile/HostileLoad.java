// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.hostile;

import dev.jurom.cli.shell.Table;
import dev.jurom.proof.hostile.HostilePeer.Outcomes;
import dev.jurom.proof.kills.HostProcess;
import dev.jurom.proof.process.HeldResources;
import dev.jurom.proof.process.NativePrograms;
import dev.jurom.proof.process.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Rounds of two phases: hosts are measured undisturbed, then during the attacks. Other load of the machine
 * affects both phases.
 */
final class HostileLoad {

    private static final int WORKERS = 4;
    private static final int PEERS = 8;
    private static final int ROUNDS = 20;
    private static final Duration QUIET = Duration.ofSeconds(1);
    private static final Duration SETTLING = Duration.ofSeconds(15);
    private static final HostProcess.Work WORK = new HostProcess.Work(1, 100, 1000, false);
    private static final long FIRST_ID = 100;

    private final NativePrograms programs;
    private final ServiceProcess service;
    private final Path key;
    private final long seed;
    private final List<HostProcess> hosts = new ArrayList<>();
    private final List<HostilePeer> peers = new ArrayList<>();
    private final Map<String, Outcomes> outcomes = new TreeMap<>();
    private final List<String> violations = new ArrayList<>();
    private final List<Round> rounds = new ArrayList<>();
    private List<Long> workers;
    private long answers;

    /** Medians over the hosts, in nanoseconds. */
    private record Round(double quiet, double attacked, double quietTail, double attackedTail) {

        double ratio() {
            return attacked / quiet;
        }

        double tailRatio() {
            return attackedTail / quietTail;
        }
    }

    HostileLoad(NativePrograms programs, ServiceProcess service, Path key, long seed) {
        this.programs = programs;
        this.service = service;
        this.key = key;
        this.seed = seed;
    }

    void run(int frames) throws IOException, InterruptedException {
        try {
            for (var i = 0; i < WORKERS; i++) {
                var host = new HostProcess(
                        programs,
                        service.serviceFile(),
                        service.folder().resolve("hosts.log"),
                        true,
                        seed + i,
                        "worker_graph");
                hosts.add(host);
                host.open(FIRST_ID + i, WORK);
                host.expect("running");
                host.awaitAnswers(10);
            }
            workers = service.workers();
            for (var i = 0; i < PEERS; i++) {
                peers.add(new HostilePeer(programs, service, key, FIRST_ID + i % WORKERS, seed * PEERS + i));
            }
            var serviceBefore = HeldResources.of(service.pid());
            var workersBefore = workers.stream().map(HeldResources::of).toList();
            for (var i = 0; i < ROUNDS; i++) {
                round(frames / ROUNDS);
            }
            peers.forEach(HostilePeer::close);
            settle(serviceBefore, workersBefore);
            check();
        } finally {
            peers.forEach(HostilePeer::close);
            hosts.forEach(HostProcess::close);
        }
        checkLogs();
    }

    private void round(int frames) throws IOException, InterruptedException {
        times();
        Thread.sleep(QUIET);
        var quiet = times();
        peers.forEach(peer -> peer.begin(frames / PEERS));
        for (var peer : peers) {
            peer.await(outcomes);
        }
        var attacked = times();
        rounds.add(new Round(quiet[0], attacked[0], quiet[1], attacked[1]));
        check();
    }

    /** Returns p50 and p99 since the previous call, each as the median over the hosts. */
    private double[] times() throws InterruptedException {
        var medians = new ArrayList<Double>();
        var tails = new ArrayList<Double>();
        for (var host : hosts) {
            host.send("latencies");
            var event = host.expect("latencies");
            medians.add((double) event.number(1));
            tails.add((double) event.number(2));
        }
        return new double[] {median(medians), median(tails)};
    }

    private void check() throws InterruptedException {
        if (!service.isAlive()) {
            violations.add("the service exited");
        }
        workers.stream()
                .filter(HeldResources::isGone)
                .forEach(pid -> violations.add("worker " + pid + " exited, which serves other hosts"));
        answers = 0;
        for (var host : hosts) {
            var load = host.awaitAnswers(1);
            answers += load.answers();
            if (load.wrong() > 0 || load.failures() > 0 || !host.isUndisturbed()) {
                violations.add("a host was disturbed: " + load);
            }
        }
    }

    /** Checks that the service and the workers have released all resources of the peers. */
    private void settle(HeldResources serviceBefore, List<HeldResources> workersBefore) throws InterruptedException {
        var deadline = System.nanoTime() + SETTLING.toNanos();
        while (!isSettled(serviceBefore, workersBefore)) {
            if (System.nanoTime() - deadline > 0) {
                violations.add("resources not released within " + SETTLING.toSeconds() + " s: service "
                        + HeldResources.of(service.pid()) + " after " + serviceBefore
                        + ", workers " + workers.stream().map(HeldResources::of).toList()
                        + " after " + workersBefore + ", of " + service.workers());
                return;
            }
            Thread.sleep(10);
        }
    }

    private boolean isSettled(HeldResources serviceBefore, List<HeldResources> workersBefore) {
        for (var i = 0; i < workers.size(); i++) {
            if (!HeldResources.of(workers.get(i)).isWithin(workersBefore.get(i))) {
                return false;
            }
        }
        return HeldResources.of(service.pid()).isWithin(serviceBefore) && workers.containsAll(service.workers());
    }

    /** A rejected attack logs one line; a stack trace is an error that the service does not handle. */
    private void checkLogs() throws IOException {
        try (var logs = Files.newDirectoryStream(service.logs())) {
            for (var log : logs) {
                try (var lines = Files.lines(log)) {
                    lines.filter(line -> line.startsWith("\tat ") || line.contains("Exception in thread"))
                            .findFirst()
                            .ifPresent(line -> violations.add(log.getFileName() + " contains a stack trace: " + line));
                }
            }
        }
    }

    Table table() {
        var table = Table.of("kind", "count", "answered", "closed", "no_answer", "late");
        var all = Outcomes.NONE;
        for (var entry : outcomes.entrySet()) {
            row(table, entry.getKey(), entry.getValue());
            all = all.plus(entry.getValue());
        }
        row(table, "all", all);
        return table;
    }

    private static void row(Table table, String kind, Outcomes it) {
        table.row(kind, it.all(), it.answered(), it.closed(), it.ignored(), it.late());
    }

    private static double median(List<Double> values) {
        var sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    int rounds() {
        return rounds.size();
    }

    double quietMicros() {
        return median(rounds.stream().map(Round::quiet).toList()) / 1000;
    }

    double attackedMicros() {
        return median(rounds.stream().map(Round::attacked).toList()) / 1000;
    }

    double ratio() {
        return median(rounds.stream().map(Round::ratio).toList());
    }

    double tailRatio() {
        return median(rounds.stream().map(Round::tailRatio).toList());
    }

    long answers() {
        return answers;
    }

    List<String> violations() {
        return violations;
    }
}
