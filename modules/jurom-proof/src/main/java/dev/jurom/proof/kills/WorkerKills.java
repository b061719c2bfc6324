// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.kills;

import dev.jurom.proof.process.HeldResources;
import dev.jurom.proof.process.NativePrograms;
import dev.jurom.proof.process.ServiceProcess;
import dev.jurom.proof.process.SignalSender;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Kills workers in any state: each of their hosts detects it within 100 ms. */
final class WorkerKills {

    private static final int HOSTS = 3;
    private static final long LIMIT = Duration.ofMillis(100).toNanos();
    private static final long FIRST_ID = 1000;
    private static final int LIFE_MICROS = 15_000; // at most, from the beginning of a state

    private final NativePrograms programs;
    private final ServiceProcess service;
    private final Random random;
    private final KillFindings findings;

    /** The state of a worker when it is killed. */
    private enum State {
        IDLE("idle"),
        FLOODED("with commands in flight"),
        HOLDING("holding commands"),
        STARTING("starting"),
        STOPPING("being stopped");

        final String text;

        State(String text) {
            this.text = text;
        }
    }

    WorkerKills(NativePrograms programs, ServiceProcess service, long seed, KillFindings findings) {
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
                var state = State.values()[random.nextInt(State.values().length)];
                kill(FIRST_ID + i, state, hosts);
                findings.count("kill -9 of workers");
                findings.count(state.text);
            }
        } finally {
            hosts.forEach(HostProcess::close);
        }
    }

    private HostProcess.Work work(State state) {
        return switch (state) {
            case IDLE -> new HostProcess.Work(1, 100, 1_000_000, false);
            case HOLDING -> new HostProcess.Work(8, 1000, 0, true);
            default ->
                new HostProcess.Work(
                        1 + random.nextInt(16), 1 + random.nextInt(3700), random.nextBoolean() ? 0 : 500, false);
        };
    }

    private void kill(long id, State state, List<HostProcess> hosts) throws InterruptedException {
        var where = "worker " + id + ", " + state.text;
        var before = service.workers();
        var work = work(state);
        hosts.forEach(host -> host.open(id, work));
        if (state == State.STARTING) {
            pause();
            killStarting(hosts, before, where);
            return;
        }
        for (var host : hosts) {
            host.expect("running");
        }
        var worker = process(before, where);
        if (state == State.STOPPING) {
            hosts.forEach(host -> host.send("close"));
        }
        pause();
        var waited = waited(hosts);
        var killed = System.nanoTime();
        SignalSender.send(worker, SignalSender.KILL);
        var dying = awaitDeath(worker, killed);
        for (var host : hosts) {
            checkDetected(host, killed, dying, waited, state, where);
        }
    }

    /** Waits until the kernel has ended the killed process, which needs a core; returns how long it took. */
    private long awaitDeath(long worker, long killed) throws InterruptedException {
        while (!HeldResources.isGone(worker)) {
            if (System.nanoTime() - killed > HostProcess.PATIENCE.toNanos()) {
                throw new IllegalStateException("worker " + worker + " did not exit after SIGKILL");
            }
            Thread.sleep(Duration.ofNanos(100_000));
        }
        var took = System.nanoTime() - killed;
        findings.took("the kernel ended the process", took);
        return took;
    }

    /** Returns the process of the new worker. */
    private long process(List<Long> before, String where) {
        var workers = started(before);
        if (workers.size() != 1) {
            throw new IllegalStateException("expected one new worker, found " + workers.size() + ": " + where);
        }
        return workers.getFirst();
    }

    private List<Long> started(List<Long> before) {
        return service.workers().stream().filter(pid -> !before.contains(pid)).toList();
    }

    private void pause() throws InterruptedException {
        Thread.sleep(Duration.ofNanos(random.nextInt(LIFE_MICROS) * 1000L));
    }

    private Map<HostProcess, Long> waited(List<HostProcess> hosts) {
        var waited = new HashMap<HostProcess, Long>();
        hosts.forEach(host -> waited.put(host, waited(host)));
        return waited;
    }

    /** Returns the time that a host, and the service that notifies it, waited for a core. */
    private long waited(HostProcess host) {
        return HeldResources.waitedForCore(host.pid()) + HeldResources.waitedForCore(service.pid());
    }

    private void checkDetected(
            HostProcess host, long killed, long dying, Map<HostProcess, Long> waited, State state, String where)
            throws InterruptedException {
        var event = host.await(Set.of("failed", "closed"), HostProcess.PATIENCE);
        var stalled = dying + waited(host) - waited.get(host);
        if (event.is("closed") && state == State.STOPPING) {
            findings.within(
                    "context stopped beside a kill", Math.max(0, event.number(1) - killed), stalled, LIMIT, where);
        } else if (event.is("failed")) {
            findings.within("detected by a host", event.number(1) - killed, stalled, LIMIT, where);
            findings.within("all its commands completed", event.number(2) - killed, stalled, LIMIT, where);
        } else {
            findings.violation("a host did not detect the end of its worker: " + where + ", " + event.words());
        }
    }

    /** Kills starting workers: each host receives an error or a new worker, and none hangs. */
    private void killStarting(List<HostProcess> hosts, List<Long> before, String where) throws InterruptedException {
        var killed = System.nanoTime();
        started(before).forEach(pid -> SignalSender.send(pid, SignalSender.KILL));
        for (var host : hosts) {
            var event = host.await(Set.of("running", "rejected"), HostProcess.PATIENCE);
            if (event.is("rejected")) {
                findings.took("start rejected", Math.max(0, event.number(1) - killed));
                continue;
            }
            if (event.is("lost")) {
                findings.violation("a host hangs: " + where);
                continue;
            }
            host.send("close");
            var end = host.await(Set.of("closed", "failed"), HostProcess.PATIENCE);
            if (end.is("lost")) {
                findings.violation("a host hangs while stopping: " + where);
            }
        }
    }
}
