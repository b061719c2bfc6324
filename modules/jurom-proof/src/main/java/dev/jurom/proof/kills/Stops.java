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
 * Processes that are stopped (SIGSTOP), some for less than the hang time-out and some for more, many
 * at a time. A worker that is stopped for more is killed and its hosts see it; whoever else goes on
 * does so as if nothing had been, also a worker whose service was stopped.
 */
final class Stops {

    /** What the service must be started with. */
    static final Duration HANG_TIMEOUT = Duration.ofSeconds(2);

    private static final int AT_ONCE = 10;
    private static final long FIRST_ID = 1_000_000;
    private static final KillHost.Work WORK = new KillHost.Work(2, 500, 5000, false);
    private static final Duration SHORT = HANG_TIMEOUT.dividedBy(2);
    private static final Duration LONG = HANG_TIMEOUT.plusMillis(500);
    /** From the time-out to its end: one pause between pings, one look, and the kill. */
    private static final long SLACK = Duration.ofMillis(1500).toNanos();

    private final NativePrograms programs;
    private final ServiceProcess service;
    private final Random random;
    private final Violations findings;
    private final List<KillHost> hosts = new ArrayList<>();
    private long nextId = FIRST_ID;

    Stops(NativePrograms programs, ServiceProcess service, long seed, Violations findings) {
        this.programs = programs;
        this.service = service;
        this.random = new Random(seed);
        this.findings = findings;
    }

    void run(int stops) throws IOException, InterruptedException {
        try {
            for (var i = 0; i < AT_ONCE; i++) {
                hosts.add(new KillHost(
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
            hosts.forEach(KillHost::close);
        }
    }

    private void open(KillHost host) throws InterruptedException {
        host.open(nextId++, WORK);
        host.expect("running");
        host.awaitAnswers(4);
    }

    private void stopWorkers(int count, boolean kept) throws InterruptedException {
        var workers = new ArrayList<Long>();
        for (var host : hosts) {
            workers.add(host.look().process());
        }
        var stopped = System.nanoTime();
        workers.subList(0, count).forEach(pid -> SignalSender.send(pid, SignalSender.STOP));
        findings.count(kept ? "workers for " + HANG_TIMEOUT.toSeconds() + " s and more" : "workers for less", count);
        if (!kept) {
            Thread.sleep(SHORT);
            workers.subList(0, count).forEach(pid -> SignalSender.send(pid, SignalSender.CONTINUE));
        }
        for (var i = 0; i < count && kept; i++) {
            ended(i, stopped, workers.get(i));
        }
        for (var i = kept ? count : 0; i < hosts.size(); i++) {
            goesOn(hosts.get(i), "a worker that was stopped for less than the time-out, or" + " not at all");
        }
    }

    /** Not before the time-out, and not long after it. */
    private void ended(int index, long stopped, long worker) throws InterruptedException {
        var waited = HeldResources.waitedForCore(service.pid());
        var event = hosts.get(index).await(Set.of("gone"), KillHost.PATIENCE);
        if (!event.is("gone")) {
            findings.violation("worker " + worker + " was stopped and its host waits for ever");
            SignalSender.send(worker, SignalSender.KILL);
            hosts.get(index).expect("gone");
        } else {
            var after = event.number(1) - stopped;
            if (after < HANG_TIMEOUT.toNanos() - Duration.ofMillis(500).toNanos()) {
                findings.violation(
                        "worker " + worker + " was ended " + Times.millis(after) + " ms after it was stopped");
            }
            findings.within(
                    "stopped worker ended",
                    after,
                    HeldResources.waitedForCore(service.pid()) - waited,
                    HANG_TIMEOUT.toNanos() + SLACK,
                    "worker " + worker);
        }
        open(hosts.get(index));
    }

    /** A host may stop for as long as it likes; its neighbour at the same worker goes on. */
    private void stopHosts(int count, boolean kept) throws IOException, InterruptedException {
        try (var neighbour = new KillHost(
                programs, service.serviceFile(), service.folder().resolve("hosts.log"), true, random.nextLong())) {
            neighbour.open(nextId - 1, WORK); // which the host that was opened last has, too
            neighbour.expect("running");
            hosts.subList(0, count).forEach(host -> SignalSender.send(host.pid(), SignalSender.STOP));
            findings.count(kept ? "hosts for " + HANG_TIMEOUT.toSeconds() + " s and more" : "hosts for less", count);
            var end = System.nanoTime() + (kept ? LONG : SHORT).toNanos();
            while (System.nanoTime() - end < 0) {
                findings.took(
                        "slowest answer of a neighbour",
                        neighbour.awaitAnswers(10).slowestNanos());
            }
            goesOn(neighbour, "the neighbour of a stopped host");
            hosts.subList(0, count).forEach(host -> SignalSender.send(host.pid(), SignalSender.CONTINUE));
        }
        for (var host : hosts) {
            goesOn(host, "a host that was stopped");
        }
    }

    /** Commands do not need it; and it does not blame workers for its own absence. */
    private void stopService(boolean kept) throws InterruptedException {
        SignalSender.send(service.pid(), SignalSender.STOP);
        findings.count(kept ? "services for " + HANG_TIMEOUT.toSeconds() + " s and more" : "services for less");
        var end = System.nanoTime()
                + (kept
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
        if (kept) {
            Thread.sleep(HANG_TIMEOUT); // in which it would end them
        }
        for (var host : hosts) {
            goesOn(host, "a host whose service was stopped");
        }
        var host = hosts.get(random.nextInt(hosts.size()));
        host.order("close");
        host.expect("closed");
        open(host);
        findings.count("workers started by a service that was stopped");
    }

    private void goesOn(KillHost host, String who) throws InterruptedException {
        var load = host.awaitAnswers(4);
        if (load.wrong() > 0 || load.failures() > 0 || !host.isUndisturbed()) {
            findings.violation(who + " does not go on as before: " + load);
        }
    }
}
