// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.kills;

import dev.jurom.proof.process.HeldResources;
import dev.jurom.proof.process.NativePrograms;
import dev.jurom.proof.process.ServiceProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * The service killed under its hosts: all contexts report it within 1 s, its workers leave, and one
 * that is started in the same place serves the same hosts again.
 */
final class DaemonKills {

    private static final int HOSTS = 3;
    private static final int LIFE_MICROS = 30_000;
    private static final long LIMIT = Duration.ofSeconds(1).toNanos();
    private static final long LEAVING = Duration.ofSeconds(2).toNanos();

    private final NativePrograms programs;
    private final ServiceProcess service;
    private final Random random;
    private final Violations findings;

    DaemonKills(NativePrograms programs, ServiceProcess service, long seed, Violations findings) {
        this.programs = programs;
        this.service = service;
        this.random = new Random(seed);
        this.findings = findings;
    }

    void run(int kills) throws IOException, InterruptedException {
        var hosts = new ArrayList<KillHost>();
        try {
            for (var i = 0; i < HOSTS; i++) {
                hosts.add(new KillHost(
                        programs,
                        service.serviceFile(),
                        service.folder().resolve("hosts.log"),
                        i > 0,
                        random.nextLong()));
            }
            for (var i = 0; i < kills; i++) {
                kill(hosts, "service " + i);
            }
        } finally {
            hosts.forEach(KillHost::close);
        }
    }

    private void kill(List<KillHost> hosts, String where) throws IOException, InterruptedException {
        for (var host : hosts) {
            host.open(
                    1 + random.nextInt(2),
                    new KillHost.Work(
                            1 + random.nextInt(8), 1 + random.nextInt(3000), random.nextBoolean() ? 0 : 500, false));
        }
        var early = random.nextInt(4) == 0; // while workers and contexts start
        for (var host : hosts) {
            if (!early) {
                host.expect("running");
            }
        }
        Thread.sleep(Duration.ofNanos(random.nextInt(LIFE_MICROS) * 1000L));
        var workers = service.workers();
        var waited = waited(hosts);
        var killed = System.nanoTime();
        service.kill();
        findings.count("kill -9 of the service");
        findings.count(early ? "while hosts open it" : "under load");
        for (var host : hosts) {
            seen(host, killed, hosts, waited, where);
        }
        workersLeave(workers, killed, where);
        service.startAgain();
        serveAgain(hosts, where);
    }

    private static long waited(List<KillHost> hosts) {
        return hosts.stream()
                .mapToLong(host -> HeldResources.waitedForCore(host.pid()))
                .sum();
    }

    private void seen(KillHost host, long killed, List<KillHost> hosts, long waited, String where)
            throws InterruptedException {
        var event = host.await(Set.of("service-gone", "refused"), KillHost.PATIENCE);
        if (event.is("refused") && !event.words().get(2).equals("ENDED")) {
            findings.count("service contexts that did not start");
            return;
        }
        if (event.is("refused")) {
            event = host.await(Set.of("service-gone"), KillHost.PATIENCE);
        }
        if (event.is("lost")) {
            findings.violation("a context has not reported it: " + where);
            return;
        }
        findings.within(
                "both contexts idle", Math.max(0, event.number(1) - killed), waited(hosts) - waited, LIMIT, where);
    }

    private void workersLeave(List<Long> workers, long killed, String where) throws InterruptedException {
        for (var worker : workers) {
            var waited = HeldResources.waitedForCore(worker);
            while (!HeldResources.isGone(worker)) {
                var heldUp = Math.max(0, HeldResources.waitedForCore(worker) - waited);
                if (System.nanoTime() - killed > LEAVING + heldUp) {
                    findings.violation("worker " + worker + " has not left: " + where);
                    return;
                }
                Thread.sleep(1);
            }
        }
        findings.took("workers gone", System.nanoTime() - killed);
    }

    private void serveAgain(List<KillHost> hosts, String where) throws InterruptedException {
        var work = new KillHost.Work(2, 1000, 500, false);
        for (var host : hosts) { // who came to open only after the kill has been refused since
            host.order("look");
            host.await(Set.of("look"), KillHost.PATIENCE);
        }
        hosts.forEach(host -> host.open(1, work));
        for (var host : hosts) {
            host.expect("running");
            var load = host.awaitAnswers(20);
            if (load.wrong() > 0) {
                findings.violation("a wrong answer of a service that was started again: " + load + ", " + where);
            }
            host.order("close");
            host.expect("closed");
        }
        findings.count("served again");
    }
}
