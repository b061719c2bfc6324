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
 * Hosts that are killed, from their first breath to their flood: 1 s later worker and service hold
 * nothing of them any more, and the other hosts of the same worker have noticed nothing.
 */
final class HostKills {

    private static final long SHARED_ID = 1;
    private static final int NEIGHBOURS = 2;
    private static final KillHost.Work NEIGHBOURS_WORK = new KillHost.Work(4, 500, 3000, false);
    private static final int LIFE_MICROS = 60_000;
    private static final int WARM_UP = 5; // after which the service has all that it keeps
    private static final long LIMIT = Duration.ofSeconds(1).toNanos();
    private static final long LATE = Duration.ofMillis(100).toNanos();

    private final NativePrograms programs;
    private final ServiceProcess service;
    private final Random random;
    private final Violations findings;
    private final List<KillHost> neighbours = new ArrayList<>();
    private final Map<KillHost, Long> waitedBefore = new HashMap<>(); // when it was looked at last
    private long worker;
    private HeldResources workerBefore;
    private HeldResources serviceBefore;

    HostKills(NativePrograms programs, ServiceProcess service, long seed, Violations findings) {
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
            lookAtNeighbours();
        } finally {
            neighbours.forEach(KillHost::close);
        }
    }

    private KillHost host() throws IOException {
        return new KillHost(
                programs,
                service.serviceFile(),
                service.folder().resolve("hosts.log"),
                random.nextInt(4) > 0,
                random.nextLong());
    }

    /** Half of them are hosts of the shared worker, the others have one of their own. */
    private void killOne() throws IOException, InterruptedException {
        var own = random.nextBoolean();
        var work = new KillHost.Work(
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
                findings.violation("1 s later there is more than before it, " + where + ": " + left());
                return;
            }
            Thread.sleep(1);
        }
        findings.took("nothing left of it", System.nanoTime() - killed);
        lookAtNeighbours();
    }

    private long waited() {
        return HeldResources.waitedForCore(worker) + HeldResources.waitedForCore(service.pid());
    }

    private boolean isClean() {
        return service.workers().equals(List.of(worker))
                && HeldResources.of(worker).isWithin(workerBefore)
                && HeldResources.of(service.pid()).isWithin(serviceBefore);
    }

    private String left() {
        return "workers " + service.workers() + " instead of " + worker + ", worker "
                + HeldResources.of(worker) + " after " + workerBefore + ", service "
                + HeldResources.of(service.pid()) + " after " + serviceBefore;
    }

    private void lookAtNeighbours() throws InterruptedException {
        for (var host : neighbours) {
            var load = host.awaitAnswers(1);
            var waited = HeldResources.waitedForCore(host.pid()) + HeldResources.waitedForCore(worker);
            var heldUp = waited - waitedBefore.getOrDefault(host, 0L);
            waitedBefore.put(host, waited);
            findings.within("slowest answer of a neighbour", load.slowestNanos(), heldUp, LATE, "host " + host.pid());
            if (load.wrong() > 0 || load.failures() > 0 || load.process() != worker) {
                findings.violation("a neighbour was disturbed: " + load);
            }
        }
    }
}
