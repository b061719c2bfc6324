// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.proof.faults.Fault;
import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultPoint;
import dev.jurom.proof.faults.FaultPoints;
import dev.jurom.proof.faults.FaultRole;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameEncoder;
import dev.jurom.urom.WorkerId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Injects each action at each point of the daemon separately. Afterwards, the same service or a restarted one
 * must serve hosts, and no resources may be left.
 */
class EachDaemonFaultTest {

    private static final boolean LONG = Boolean.getBoolean("jurom.long");
    private static final int KILLED = 137;
    private static final int TERMINATED = 143;
    private static final int NOT_STARTED = 1;
    private static final int NOT_CONFIGURED = 78; // EX_CONFIG: such as a log directory that cannot be used
    /** Points that only remote hosts or hanging workers reach. */
    private static final Set<String> ELSEWHERE = Set.of(
            "daemon_tls_bind",
            "daemon_tls_accept",
            "daemon_tls_options",
            "daemon_tls_handshake",
            "daemon_tls_identified",
            "daemon_ticket_asked",
            "daemon_worker_listens",
            "daemon_worker_killed");

    private static final int SOME = 8; // one of eight faults, unless in long runs
    private static final int ATTEMPTS = 2;
    private static final long ENOSPC = 28;
    private static final long DELAY = 200_000_000;
    private static final long HOUR = 3_600_000_000_000L;

    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicTest> the_service_survives() {
        var day = System.nanoTime();
        return FaultPoints.woven().stream()
                .filter(point -> point.roles().contains(FaultRole.DAEMON))
                .filter(point -> !ELSEWHERE.contains(point.name()))
                .flatMap(point -> point.actions().stream().map(action -> fault(point, action)))
                .filter(fault -> LONG || Math.floorMod(fault.toString().hashCode() + day, SOME) == 0)
                .map(fault -> DynamicTest.dynamicTest(fault.toString(), () -> survive(fault)));
    }

    private static Fault fault(FaultPoint point, FaultAction action) {
        var arguments = switch (action) {
            case FAIL -> List.of(ENOSPC);
            case SHORT -> List.of(3L);
            case DELAY -> List.of(DELAY);
            case JUMP -> List.of(HOUR);
            default -> List.<Long>of();
        };
        return new Fault(FaultRole.DAEMON, point, action, arguments, 0, 1);
    }

    private void survive(Fault fault) throws Exception {
        var here = Files.createDirectory(folder.resolve(fault.point() + "-" + fault.action()));
        var workers = Set.<ProcessHandle>of();
        var file = here.resolve("services").toString();
        try (var daemon = new FaultyDaemon(here, fault.toString(), "--log-size", "4096", "--service-file", file)) {
            if (fault.action() == FaultAction.STOP) {
                Thread.startVirtualThread(() -> resumeWhenStopped(daemon));
            }
            if (daemon.awaitListening()) {
                checkServed(daemon);
                workers = daemon.process().children().collect(Collectors.toSet());
                daemon.signal("HUP");
                daemon.process().destroy();
            }
            checkEnd(daemon, fault);
        }
        for (var worker : workers) {
            FaultyDaemon.await("worker " + worker.pid() + " has exited", () -> !worker.isAlive());
        }
        if (fault.action() == FaultAction.KILL) {
            try (var next = new FaultyDaemon(Files.createDirectory(here.resolve("next")), "")) {
                assertTrue(isServed(next), () -> "the next service does not serve: " + next.log());
            }
        }
    }

    private static void resumeWhenStopped(FaultyDaemon daemon) {
        try {
            while (daemon.process().isAlive()) { // until it exits, which the test limits
                if (daemon.isStopped()) {
                    daemon.signal("CONT");
                }
                LockSupport.parkNanos(FaultyDaemon.PAUSE);
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Connects again after a failure: the second attempt must be served, unless the service has exited. */
    private static void checkServed(FaultyDaemon daemon) throws Exception {
        for (var attempt = 1; attempt <= ATTEMPTS; attempt++) {
            if (!daemon.process().isAlive() || isServed(daemon)) {
                return;
            }
        }
        FaultyDaemon.await(
                "a service that serves no host exits: " + daemon.log(),
                () -> !daemon.process().isAlive());
    }

    private static boolean isServed(FaultyDaemon daemon) throws Exception {
        try (var host = daemon.connect()) {
            if (!(host.awaitFrame(FaultyDaemon.PATIENCE).orElse(null) instanceof Frame.Welcome welcome)
                    || welcome.plugins().isEmpty()) {
                return false;
            }
            var plugin = welcome.plugins().getFirst().id();
            host.send(FrameEncoder.encode(
                    new Frame.Spawn(2, WorkerId.ANY, plugin, OptionalInt.empty(), Optional.empty(), List.of())));
            if (!(host.awaitFrame(FaultyDaemon.PATIENCE).orElse(null) instanceof Frame.Spawned spawned)) {
                return false;
            }
            host.send(FrameEncoder.encode(new Frame.Release(2, spawned.workerId())));
            return host.awaitFrame(FaultyDaemon.PATIENCE).orElse(null) instanceof Frame.Released;
        } catch (IOException e) {
            return false;
        }
    }

    private static void checkEnd(FaultyDaemon daemon, Fault fault) throws Exception {
        var status = daemon.awaitEnd();
        var injected = daemon.events().contains(fault.point() + " " + fault.action());
        // A service that has recorded the KILL of one of its threads may complete its exit before the signal.
        if (injected && fault.action() == FaultAction.KILL && status != TERMINATED) {
            assertEquals(KILLED, status, daemon::output);
        } else if (status == NOT_STARTED || status == NOT_CONFIGURED) {
            assertTrue(daemon.output().contains(fault.point().name()), daemon::output);
        } else {
            assertEquals(TERMINATED, status, daemon::output);
            assertFalse(Files.exists(daemon.socket()), "the socket was not deleted");
        }
    }
}
