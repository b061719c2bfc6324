// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.kills;

import dev.jurom.proof.process.HeldResources;
import dev.jurom.proof.process.NativePrograms;
import dev.jurom.proof.process.ServiceProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Kills hosts at any time from their start to full load: 1 s later the worker and the service hold no
 * resources of the host, and the other hosts of the same worker were not affected.
 */
final class HostKills {

    private static final long SHARED_ID = 1;
    private static final int NEIGHBOURS = 2;
    private static final HostProcess.Work NEIGHBOURS_WORK = new HostProcess.Work(4, 500, 3000, false);
    private static final int LIFE_MICROS = 60_000;
    private static final int WARM_UP = 5; // kills, after which the service has allocated what it keeps
    private static final long LIMIT = Duration.ofSeconds(1).toNanos();
    private static final long LATE = Duration.ofMillis(100).toNanos();

    private final NativePrograms programs;
    private final ServiceProcess service;
    private final Random random;
    private final KillFindings findings;
    private final List<HostProcess> neighbours = new ArrayList<>();
    private final Map<HostProcess, Long> waitedBefore = new HashMap<>(); // at the previous check
    private long worker;
    private HeldResources workerBefore;
    private HeldResources serviceBefore;

    HostKills(NativePrograms programs, ServiceProcess service, long seed, KillFindings findings) {
        this.programs = programs;
        this.service = service;
        this.random = new Random(seed);
        this.findings = findings;
    }

    void run(int kills) throws IOException, InterruptedException {
        try {
            for (var i = 0; i < NEIGHBOURS; i++) {
                var host = host();
                neighbours.add(host);
                host.open(SHARED_ID, NEIGHBOURS_WORK);
                host.expect("running");
            }
            worker = neighbours.getFirst().awaitAnswers(10).process();
            for (var i = 0; i < WARM_UP; i++) {
                killOne();
            }
            Thread.sleep(Duration.ofNanos(LIMIT));
            workerBefore = HeldResources.of(worker);
            serviceBefore = HeldResources.of(service.pid());
            for (var i = 0; i < kills; i++) {
                kill("host " + i);
            }
            checkNeighbours();
        } finally {
            neighbours.forEach(HostProcess::close);
        }
    }

    private HostProcess host() throws IOException {
        return new HostProcess(
                programs,
                service.serviceFile(),
                service.folder().resolve("hosts.log"),
                random.nextInt(4) > 0,
                random.nextLong());
    }

    /** Half of the hosts use the shared worker, the others have a worker of their own. */
    private void killOne() throws IOException, InterruptedException {
        var own = random.nextBoolean();
        var work = new HostProcess.Work(
                1 + random.nextInt(16),
                1 + random.nextInt(3700),
                random.nextBoolean() ? 0 : 500,
                random.nextInt(4) == 0);
        try (var victim = host()) {
            victim.open(own ? 0 : SHARED_ID, work);
            Thread.sleep(Duration.ofNanos(random.nextInt(LIFE_MICROS) * 1000L));
            victim.kill();
        }
        findings.count(own ? "with a worker of their own" : "of the shared worker");
    }

    private void kill(String where) throws IOException, InterruptedException {
        var waited = waited();
        killOne();
        var killed = System.nanoTime();
        findings.count("kill -9 of hosts");
        while (!isClean()) {
            if (System.nanoTime() - killed > LIMIT + waited() - waited) {
                findings.violation("resources not released after 1 s, " + where + ": " + describeResources());
                return;
            }
            Thread.sleep(1);
        }
        findings.took("resources released", System.nanoTime() - killed);
        checkNeighbours();
    }

    private long waited() {
        return HeldResources.waitedForCore(worker) + HeldResources.waitedForCore(service.pid());
    }

    private boolean isClean() {
        return service.workers().equals(List.of(worker))
                && HeldResources.of(worker).isWithin(workerBefore)
                && HeldResources.of(service.pid()).isWithin(serviceBefore);
    }

    private String describeResources() {
        return "workers " + service.workers() + " instead of " + worker + ", worker "
                + HeldResources.of(worker) + " after " + workerBefore + ", service "
                + HeldResources.of(service.pid()) + " after " + serviceBefore;
    }

    private void checkNeighbours() throws InterruptedException {
        for (var host : neighbours) {
            var load = host.awaitAnswers(1);
            var waited = HeldResources.waitedForCore(host.pid()) + HeldResources.waitedForCore(worker);
            var stalled = waited - waitedBefore.getOrDefault(host, 0L);
            waitedBefore.put(host, waited);
            findings.within("slowest answer of another host", load.slowestNanos(), stalled, LATE, "host " + host.pid());
            if (load.wrong() > 0 || load.failures() > 0 || load.process() != worker) {
                findings.violation("another host was disturbed: " + load);
            }
        }
    }
}
