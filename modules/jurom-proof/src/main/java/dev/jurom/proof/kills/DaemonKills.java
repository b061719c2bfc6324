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
 * Kills the service while hosts use it: all contexts report the loss within 1 s, its workers exit, and a
 * service restarted in the same directory serves the same hosts again.
 */
final class DaemonKills {

    private static final int HOSTS = 3;
    private static final int LIFE_MICROS = 30_000;
    private static final long LIMIT = Duration.ofSeconds(1).toNanos();
    private static final long EXIT_TIME = Duration.ofSeconds(2).toNanos();

    private final NativePrograms programs;
    private final ServiceProcess service;
    private final Random random;
    private final KillFindings findings;

    DaemonKills(NativePrograms programs, ServiceProcess service, long seed, KillFindings findings) {
        this.programs = programs;
        this.service = service;
        this.random = new Random(seed);
        this.findings = findings;
    }

    void run(int kills) throws IOException, InterruptedException {
        var hosts = new ArrayList<HostProcess>();
        try {
            for (var i = 0; i < HOSTS; i++) {
                hosts.add(new HostProcess(
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
            hosts.forEach(HostProcess::close);
        }
    }

    private void kill(List<HostProcess> hosts, String where) throws IOException, InterruptedException {
        for (var host : hosts) {
            host.open(
                    1 + random.nextInt(2),
                    new HostProcess.Work(
                            1 + random.nextInt(8), 1 + random.nextInt(3000), random.nextBoolean() ? 0 : 500, false));
        }
        var early = random.nextInt(4) == 0; // while workers and contexts are starting
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
        findings.count(early ? "while hosts were opening contexts" : "under load");
        for (var host : hosts) {
            checkDetected(host, killed, hosts, waited, where);
        }
        awaitWorkerExit(workers, killed, where);
        service.startAgain();
        checkServedAgain(hosts, where);
    }

    private static long waited(List<HostProcess> hosts) {
        return hosts.stream()
                .mapToLong(host -> HeldResources.waitedForCore(host.pid()))
                .sum();
    }

    private void checkDetected(HostProcess host, long killed, List<HostProcess> hosts, long waited, String where)
            throws InterruptedException {
        var event = host.await(Set.of("service-failed", "rejected"), HostProcess.PATIENCE);
        if (event.is("rejected") && !event.words().get(2).equals("ENDED")) {
            findings.count("service contexts that did not start");
            return;
        }
        if (event.is("rejected")) {
            event = host.await(Set.of("service-failed"), HostProcess.PATIENCE);
        }
        if (event.is("lost")) {
            findings.violation("a context did not report the end of the service: " + where);
            return;
        }
        findings.within(
                "both contexts idle", Math.max(0, event.number(1) - killed), waited(hosts) - waited, LIMIT, where);
    }

    private void awaitWorkerExit(List<Long> workers, long killed, String where) throws InterruptedException {
        for (var worker : workers) {
            var waited = HeldResources.waitedForCore(worker);
            while (!HeldResources.isGone(worker)) {
                var stalled = Math.max(0, HeldResources.waitedForCore(worker) - waited);
                if (System.nanoTime() - killed > EXIT_TIME + stalled) {
                    findings.violation("worker " + worker + " did not exit: " + where);
                    return;
                }
                Thread.sleep(1);
            }
        }
        findings.took("workers exited", System.nanoTime() - killed);
    }

    private void checkServedAgain(List<HostProcess> hosts, String where) throws InterruptedException {
        var work = new HostProcess.Work(2, 1000, 500, false);
        for (var host : hosts) { // a host that opened after the kill was rejected meanwhile
            host.send("status");
            host.await(Set.of("status"), HostProcess.PATIENCE);
        }
        hosts.forEach(host -> host.open(1, work));
        for (var host : hosts) {
            host.expect("running");
            var load = host.awaitAnswers(20);
            if (load.wrong() > 0) {
                findings.violation("a wrong answer after the restart of the service: " + load + ", " + where);
            }
            host.send("close");
            host.expect("closed");
        }
        findings.count("served again");
    }
}
