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

/** Workers that are killed, whatever they are at: each of their hosts sees it within 100 ms. */
final class WorkerKills {

    private static final int HOSTS = 3;
    private static final long LIMIT = Duration.ofMillis(100).toNanos();
    private static final long FIRST_ID = 1000;
    private static final int LIFE_MICROS = 15_000; // at most, from the moment that a state begins

    private final NativePrograms programs;
    private final ServiceProcess service;
    private final Random random;
    private final Violations findings;

    /** What a worker is at when it is killed. */
    private enum State {
        IDLE("idle"),
        FLOODED("with commands under way"),
        HOLDING("holding commands"),
        STARTING("starting"),
        LEFT("being left");

        final String text;

        State(String text) {
            this.text = text;
        }
    }

    WorkerKills(NativePrograms programs, ServiceProcess service, long seed, Violations findings) {
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
                var state = State.values()[random.nextInt(State.values().length)];
                kill(FIRST_ID + i, state, hosts);
                findings.count("kill -9 of workers");
                findings.count(state.text);
            }
        } finally {
            hosts.forEach(KillHost::close);
        }
    }

    private KillHost.Work work(State state) {
        return switch (state) {
            case IDLE -> new KillHost.Work(1, 100, 1_000_000, false);
            case HOLDING -> new KillHost.Work(8, 1000, 0, true);
            default ->
                new KillHost.Work(
                        1 + random.nextInt(16), 1 + random.nextInt(3700), random.nextBoolean() ? 0 : 500, false);
        };
    }

    private void kill(long id, State state, List<KillHost> hosts) throws InterruptedException {
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
        if (state == State.LEFT) {
            hosts.forEach(host -> host.order("close"));
        }
        pause();
        var waited = waited(hosts);
        var killed = System.nanoTime();
        SignalSender.send(worker, SignalSender.KILL);
        var dying = awaitDeath(worker, killed);
        for (var host : hosts) {
            seen(host, killed, dying, waited, state, where);
        }
    }

    /** A process that was killed needs a core to die, which may be busy; how long that took. */
    private long awaitDeath(long worker, long killed) throws InterruptedException {
        while (!HeldResources.isGone(worker)) {
            if (System.nanoTime() - killed > KillHost.PATIENCE.toNanos()) {
                throw new IllegalStateException("Worker " + worker + " does not die of kill -9");
            }
            Thread.sleep(Duration.ofNanos(100_000));
        }
        var took = System.nanoTime() - killed;
        findings.took("the kernel ended the process", took);
        return took;
    }

    /** The one that is new. */
    private long process(List<Long> before, String where) {
        var workers = started(before);
        if (workers.size() != 1) {
            throw new IllegalStateException("Not one worker was started but " + workers.size() + ": " + where);
        }
        return workers.getFirst();
    }

    private List<Long> started(List<Long> before) {
        return service.workers().stream().filter(pid -> !before.contains(pid)).toList();
    }

    private void pause() throws InterruptedException {
        Thread.sleep(Duration.ofNanos(random.nextInt(LIFE_MICROS) * 1000L));
    }

    private Map<KillHost, Long> waited(List<KillHost> hosts) {
        var waited = new HashMap<KillHost, Long>();
        hosts.forEach(host -> waited.put(host, waited(host)));
        return waited;
    }

    /** A host, and the service that tells it why. */
    private long waited(KillHost host) {
        return HeldResources.waitedForCore(host.pid()) + HeldResources.waitedForCore(service.pid());
    }

    private void seen(KillHost host, long killed, long dying, Map<KillHost, Long> waited, State state, String where)
            throws InterruptedException {
        var event = host.await(Set.of("gone", "closed"), KillHost.PATIENCE);
        var heldUp = dying + waited(host) - waited.get(host);
        if (event.is("closed") && state == State.LEFT) {
            findings.within(
                    "context stopped beside a kill", Math.max(0, event.number(1) - killed), heldUp, LIMIT, where);
        } else if (event.is("gone")) {
            findings.within("seen by a host", event.number(1) - killed, heldUp, LIMIT, where);
            findings.within("all its commands completed", event.number(2) - killed, heldUp, LIMIT, where);
        } else {
            findings.violation("a host has not seen it: " + where + ", " + event.words());
        }
    }

    /** Each is refused, or runs on a worker that was started again; none waits for ever. */
    private void killStarting(List<KillHost> hosts, List<Long> before, String where) throws InterruptedException {
        var killed = System.nanoTime();
        started(before).forEach(pid -> SignalSender.send(pid, SignalSender.KILL));
        for (var host : hosts) {
            var event = host.await(Set.of("running", "refused"), KillHost.PATIENCE);
            if (event.is("refused")) {
                findings.took("refused at its start", Math.max(0, event.number(1) - killed));
                continue;
            }
            if (event.is("lost")) {
                findings.violation("a host hangs: " + where);
                continue;
            }
            host.order("close");
            var end = host.await(Set.of("closed", "gone"), KillHost.PATIENCE);
            if (end.is("lost")) {
                findings.violation("a host hangs that was to stop: " + where);
            }
        }
    }
}
