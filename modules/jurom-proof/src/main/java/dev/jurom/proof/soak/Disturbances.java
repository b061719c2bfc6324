// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.soak;

import dev.jurom.proof.faults.FaultRole;
import dev.jurom.proof.load.RawConnection;
import dev.jurom.proof.process.ServiceProcess;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.status.RunningWorker;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameEncoder;
import dev.jurom.service.wire.Release;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Random disturbances, drawn from a seed, which never affect the watched host and its worker. Not
 * thread-safe.
 */
final class Disturbances {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int SIGNAL_SECONDS = 5;
    private static final int NOISE = 4096;
    private static final int GRAPH = 1; // the bit of a plugin

    private enum Kind {
        KILL_WORKER,
        STOP_WORKER,
        KILL_HOST,
        GARBAGE,
        SILENCE,
        UNFINISHED_SESSION,
        RELOAD,
        FAULT_IN_WORKER,
        FAULT_IN_HOST
    }

    private final ServiceProcess service;
    private final Optional<RandomFaults> faults;
    private final List<DisposableHost> hosts;
    private final Random random;
    private final Map<Kind, Integer> done = new EnumMap<>(Kind.class);
    private Optional<RawConnection> silent = Optional.empty();
    private long stopped; // a process to resume

    /** Creates disturbances of a service, and of some hosts and their worker. */
    Disturbances(ServiceProcess service, List<DisposableHost> hosts, Optional<RandomFaults> faults, long seed) {
        this.service = service;
        this.faults = faults;
        this.hosts = hosts;
        this.random = new Random(seed);
    }

    /** Ends the previous disturbance and causes another one. */
    void cause() throws IOException, InterruptedException {
        end();
        var kinds = Kind.values();
        var kind = kinds[random.nextInt(faults.isPresent() ? kinds.length : Kind.FAULT_IN_WORKER.ordinal())];
        switch (kind) {
            case KILL_WORKER -> hostsWorker().ifPresent(worker -> signal("KILL", worker));
            case STOP_WORKER ->
                hostsWorker().ifPresent(worker -> {
                    signal("STOP", worker);
                    stopped = worker;
                });
            case KILL_HOST -> hosts.get(random.nextInt(hosts.size())).restart();
            case GARBAGE -> sendGarbage();
            case SILENCE -> connectSilently();
            case UNFINISHED_SESSION -> leaveDuringSpawn();
            case RELOAD -> signal("HUP", service.pid());
            case FAULT_IN_WORKER ->
                hostsWorker().ifPresent(worker -> {
                    faults.orElseThrow().arm(FaultRole.WORKER, worker, random);
                    stopped = worker; // possibly stopped by the fault
                });
            case FAULT_IN_HOST -> {
                stopped = hosts.get(random.nextInt(hosts.size())).program().pid();
                faults.orElseThrow().arm(FaultRole.HOST, stopped, random);
            }
        }
        done.merge(kind, 1, Integer::sum);
    }

    /**
     * Ends the current disturbance: resumes a stopped process, closes the silent connection, and restarts
     * exited hosts.
     */
    void end() throws IOException {
        if (stopped != 0) {
            signal("CONT", stopped);
            stopped = 0;
        }
        if (silent.isPresent()) {
            silent.get().close();
            silent = Optional.empty();
        }
        faults.ifPresent(RandomFaults::disarm);
        for (var host : hosts) {
            if (!host.program().isAlive()) { // exited by a fault
                host.restart();
            }
        }
    }

    /** Returns the number of disturbances of each kind. */
    String summary() {
        var text = new StringBuilder();
        done.forEach((kind, times) -> text.append(text.isEmpty() ? "" : ", ")
                .append(times)
                .append(" x ")
                .append(kind.name().toLowerCase(Locale.ROOT).replace('_', ' ')));
        faults.ifPresent(it -> text.append("; ").append(it.injected()).append(" faults injected"));
        return text.toString();
    }

    private Optional<Long> hostsWorker() {
        return service.status().workers().stream()
                .filter(worker -> worker.id() == DisposableHost.WORKER && worker.ready())
                .map(RunningWorker::process)
                .findFirst();
    }

    private static void signal(String name, long process) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(process))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor(SIGNAL_SECONDS, TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot send a signal: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private RawConnection connect() throws IOException {
        return RawConnection.open(UnixDomainSocketAddress.of(service.socket()));
    }

    private void sendGarbage() throws IOException {
        try (var connection = connect()) {
            var noise = new byte[NOISE];
            random.nextBytes(noise);
            connection.send(noise);
        }
    }

    private void connectSilently() throws IOException {
        silent = Optional.of(connect());
    }

    /** Requests a worker and disconnects before it is started. */
    private void leaveDuringSpawn() throws IOException {
        try (var connection = connect()) {
            connection.send(FrameEncoder.encode(
                    new Frame.Hello(1, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE, Release.CURRENT)));
            connection.awaitFrame(PATIENCE);
            connection.send(FrameEncoder.encode(
                    new Frame.Spawn(2, -1, GRAPH, OptionalInt.empty(), Optional.empty(), List.of())));
        }
    }
}
