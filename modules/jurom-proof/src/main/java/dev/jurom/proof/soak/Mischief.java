// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.soak;

import dev.jurom.proof.faults.FaultRole;
import dev.jurom.proof.load.RawConnection;
import dev.jurom.proof.process.ServiceProcess;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.status.ServiceStatus;
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
 * What goes wrong meanwhile, drawn from a seed: never to the watched host, nor to its worker.
 * Of one thread.
 */
final class Mischief {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int SIGNAL_SECONDS = 5;
    private static final int NOISE = 4096;
    private static final int GRAPH = 1; // a bit of some plugin

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
    private final Optional<DrawnFaults> faults;
    private final List<MortalHost> hosts;
    private final Random random;
    private final Map<Kind, Integer> done = new EnumMap<>(Kind.class);
    private Optional<RawConnection> silent = Optional.empty();
    private long stopped; // a process that is to go on

    /** Mischief around a service, to some hosts and their worker. */
    Mischief(ServiceProcess service, List<MortalHost> hosts, Optional<DrawnFaults> faults, long seed) {
        this.service = service;
        this.faults = faults;
        this.hosts = hosts;
        this.random = new Random(seed);
    }

    /** Does something. */
    void happen() throws IOException, InterruptedException {
        goOn();
        var kinds = Kind.values();
        var kind = kinds[random.nextInt(faults.isPresent() ? kinds.length : Kind.FAULT_IN_WORKER.ordinal())];
        switch (kind) {
            case KILL_WORKER -> mortalWorker().ifPresent(worker -> signal("KILL", worker));
            case STOP_WORKER ->
                mortalWorker().ifPresent(worker -> {
                    signal("STOP", worker);
                    stopped = worker;
                });
            case KILL_HOST -> hosts.get(random.nextInt(hosts.size())).killAndStartAgain();
            case GARBAGE -> sendGarbage();
            case SILENCE -> beSilent();
            case UNFINISHED_SESSION -> leaveInTheMiddle();
            case RELOAD -> signal("HUP", service.pid());
            case FAULT_IN_WORKER ->
                mortalWorker().ifPresent(worker -> {
                    faults.orElseThrow().arm(FaultRole.WORKER, worker, random);
                    stopped = worker; // perhaps, by the fault
                });
            case FAULT_IN_HOST -> {
                stopped = hosts.get(random.nextInt(hosts.size())).program().pid();
                faults.orElseThrow().arm(FaultRole.HOST, stopped, random);
            }
        }
        done.merge(kind, 1, Integer::sum);
    }

    /** Has a stopped process go on, the silent connection end, and dead hosts start again. */
    void goOn() throws IOException {
        if (stopped != 0) {
            signal("CONT", stopped);
            stopped = 0;
        }
        if (silent.isPresent()) {
            silent.get().close();
            silent = Optional.empty();
        }
        faults.ifPresent(DrawnFaults::disarm);
        for (var host : hosts) {
            if (!host.program().isAlive()) { // a fault has ended it
                host.killAndStartAgain();
            }
        }
    }

    /** How often each was done. */
    String summary() {
        var text = new StringBuilder();
        done.forEach((kind, times) -> text.append(text.isEmpty() ? "" : ", ")
                .append(times)
                .append(" x ")
                .append(kind.name().toLowerCase(Locale.ROOT).replace('_', ' ')));
        faults.ifPresent(it -> text.append("; ").append(it.happened()).append(" faults happened"));
        return text.toString();
    }

    private Optional<Long> mortalWorker() {
        return service.status().workers().stream()
                .filter(worker -> worker.id() == MortalHost.WORKER && worker.ready())
                .map(ServiceStatus.RunningWorker::process)
                .findFirst();
    }

    private static void signal(String name, long process) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(process))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor(SIGNAL_SECONDS, TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException("No signal can be sent: " + e, e);
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
            connection.say(noise);
        }
    }

    private void beSilent() throws IOException {
        silent = Optional.of(connect());
    }

    /** Asks for a worker and has gone before it is there. */
    private void leaveInTheMiddle() throws IOException {
        try (var connection = connect()) {
            connection.say(FrameEncoder.encode(
                    new Frame.Hello(1, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE, Release.CURRENT)));
            connection.awaitFrame(PATIENCE);
            connection.say(FrameEncoder.encode(
                    new Frame.Spawn(2, -1, GRAPH, OptionalInt.empty(), Optional.empty(), List.of())));
        }
    }
}
