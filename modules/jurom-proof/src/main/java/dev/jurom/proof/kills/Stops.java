// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.kills;

import dev.jurom.proof.process.HeldResources;
import dev.jurom.proof.process.NativePrograms;
import dev.jurom.proof.process.ServiceProcess;
import dev.jurom.proof.process.SignalSender;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Stops processes (SIGSTOP), some for less than the hang timeout and some for longer, many at a time. A
 * worker that is stopped for longer is killed and its hosts detect it. Every other process continues
 * unaffected, including a worker whose service was stopped.
 */
final class Stops {

    /** The hang timeout of the service. */
    static final Duration HANG_TIMEOUT = Duration.ofSeconds(2);

    private static final int AT_ONCE = 10;
    private static final long FIRST_ID = 1_000_000;
    private static final HostProcess.Work WORK = new HostProcess.Work(2, 500, 5000, false);
    private static final Duration SHORT = HANG_TIMEOUT.dividedBy(2);
    private static final Duration LONG = HANG_TIMEOUT.plusMillis(500);
    /** Allowance for one ping interval, one check and the kill after the timeout. */
    private static final long SLACK = Duration.ofMillis(1500).toNanos();

    private final NativePrograms programs;
    private final ServiceProcess service;
    private final Random random;
    private final KillFindings findings;
    private final List<HostProcess> hosts = new ArrayList<>();
    private long nextId = FIRST_ID;

    Stops(NativePrograms programs, ServiceProcess service, long seed, KillFindings findings) {
        this.programs = programs;
        this.service = service;
        this.random = new Random(seed);
        this.findings = findings;
    }

    void run(int stops) throws IOException, InterruptedException {
        try {
            for (var i = 0; i < AT_ONCE; i++) {
                hosts.add(new HostProcess(
                        programs,
                        service.serviceFile(),
                        service.folder().resolve("hosts.log"),
                        true,
                        random.nextLong()));
                open(hosts.get(i));
            }
            for (var done = 0; done < stops; done += AT_ONCE) {
                var count = Math.min(AT_ONCE, stops - done);
                stopWorkers(count, done / AT_ONCE % 2 == 0);
                stopHosts(count, done / AT_ONCE % 2 == 0);
            }
            for (var i = 0; i < stops; i++) {
                stopService(i % AT_ONCE == 0);
            }
        } finally {
            hosts.forEach(HostProcess::close);
        }
    }

    private void open(HostProcess host) throws InterruptedException {
        host.open(nextId++, WORK);
        host.expect("running");
        host.awaitAnswers(4);
    }

    private void stopWorkers(int count, boolean beyondTimeout) throws InterruptedException {
        var workers = new ArrayList<Long>();
        for (var host : hosts) {
            workers.add(host.load().process());
        }
        var stopped = System.nanoTime();
        workers.subList(0, count).forEach(pid -> SignalSender.send(pid, SignalSender.STOP));
        findings.count(
                beyondTimeout ? "workers for " + HANG_TIMEOUT.toSeconds() + " s and more" : "workers for less", count);
        if (!beyondTimeout) {
            Thread.sleep(SHORT);
            workers.subList(0, count).forEach(pid -> SignalSender.send(pid, SignalSender.CONTINUE));
        }
        for (var i = 0; i < count && beyondTimeout; i++) {
            checkKilled(i, stopped, workers.get(i));
        }
        for (var i = beyondTimeout ? count : 0; i < hosts.size(); i++) {
            checkUnaffected(hosts.get(i), "a host of a worker that was not stopped beyond the timeout");
        }
    }

    /** Checks that the worker was killed after the timeout, and soon after it. */
    private void checkKilled(int index, long stopped, long worker) throws InterruptedException {
        var waited = HeldResources.waitedForCore(service.pid());
        var event = hosts.get(index).await(Set.of("failed"), HostProcess.PATIENCE);
        if (!event.is("failed")) {
            findings.violation("worker " + worker + " was stopped, but its host did not detect it");
            SignalSender.send(worker, SignalSender.KILL);
            hosts.get(index).expect("failed");
        } else {
            var after = event.number(1) - stopped;
            if (after < HANG_TIMEOUT.toNanos() - Duration.ofMillis(500).toNanos()) {
                findings.violation(
                        "worker " + worker + " was killed " + Durations.millis(after) + " ms after it was stopped");
            }
            findings.within(
                    "stopped worker killed",
                    after,
                    HeldResources.waitedForCore(service.pid()) - waited,
                    HANG_TIMEOUT.toNanos() + SLACK,
                    "worker " + worker);
        }
        open(hosts.get(index));
    }

    /** Stops hosts for any time: other hosts of the same worker are not affected. */
    private void stopHosts(int count, boolean beyondTimeout) throws IOException, InterruptedException {
        try (var neighbour = new HostProcess(
                programs, service.serviceFile(), service.folder().resolve("hosts.log"), true, random.nextLong())) {
            neighbour.open(nextId - 1, WORK); // the worker of the last opened host
            neighbour.expect("running");
            hosts.subList(0, count).forEach(host -> SignalSender.send(host.pid(), SignalSender.STOP));
            findings.count(
                    beyondTimeout ? "hosts for " + HANG_TIMEOUT.toSeconds() + " s and more" : "hosts for less", count);
            var end = System.nanoTime() + (beyondTimeout ? LONG : SHORT).toNanos();
            while (System.nanoTime() - end < 0) {
                findings.took(
                        "slowest answer of another host",
                        neighbour.awaitAnswers(10).slowestNanos());
            }
            checkUnaffected(neighbour, "a host that shares a worker with a stopped host");
            hosts.subList(0, count).forEach(host -> SignalSender.send(host.pid(), SignalSender.CONTINUE));
        }
        for (var host : hosts) {
            checkUnaffected(host, "a host that was stopped");
        }
    }

    /** Stops the service: commands continue, and the resumed service kills no worker for the elapsed time. */
    private void stopService(boolean beyondTimeout) throws InterruptedException {
        SignalSender.send(service.pid(), SignalSender.STOP);
        findings.count(
                beyondTimeout ? "services for " + HANG_TIMEOUT.toSeconds() + " s and more" : "services for less");
        var end = System.nanoTime()
                + (beyondTimeout
                        ? LONG.toNanos()
                        : Duration.ofMillis(random.nextInt(100)).toNanos());
        do {
            for (var host : hosts) {
                findings.took(
                        "slowest answer without the service",
                        host.awaitAnswers(2).slowestNanos());
            }
        } while (System.nanoTime() - end < 0);
        SignalSender.send(service.pid(), SignalSender.CONTINUE);
        if (beyondTimeout) {
            Thread.sleep(HANG_TIMEOUT); // time for the service to kill workers wrongly
        }
        for (var host : hosts) {
            checkUnaffected(host, "a host whose service was stopped");
        }
        var host = hosts.get(random.nextInt(hosts.size()));
        host.send("close");
        host.expect("closed");
        open(host);
        findings.count("workers started by a resumed service");
    }

    private void checkUnaffected(HostProcess host, String description) throws InterruptedException {
        var load = host.awaitAnswers(4);
        if (load.wrong() > 0 || load.failures() > 0 || !host.isUndisturbed()) {
            findings.violation(description + " was affected: " + load);
        }
    }
}
