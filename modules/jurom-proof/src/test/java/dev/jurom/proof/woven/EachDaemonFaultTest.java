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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    private static final int ATTEMPTS = 3;
    private static final long ENOSPC = 28;
    private static final long DELAY = 200_000_000;
    private static final long HOUR = 3_600_000_000_000L;

    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicTest> the_service_survives() {
        var day = System.nanoTime();
        var each = FaultPoints.woven().stream()
                .filter(point -> point.roles().contains(FaultRole.DAEMON))
                .filter(point -> !ELSEWHERE.contains(point.name()))
                .flatMap(point -> point.actions().stream().map(action -> fault(point, action)))
                .toList();
        return each.stream()
                .filter(fault -> LONG || Math.floorMod(fault.toString().hashCode() + day, SOME) == 0)
                .map(fault -> DynamicTest.dynamicTest(fault.toString(), () -> survive(fault)));
    }

    private static Fault fault(FaultPoint point, FaultAction action) {
        return new Fault(
                FaultRole.DAEMON,
                point,
                action,
                switch (action) {
                    case FAIL -> List.of(ENOSPC);
                    case SHORT -> List.of(3L);
                    case DELAY -> List.of(DELAY);
                    case JUMP -> List.of(HOUR);
                    default -> List.of();
                },
                0,
                1);
    }

    private void survive(Fault fault) throws Exception {
        var here = Files.createDirectory(folder.resolve(fault.point() + "-" + fault.action()));
        var workers = Set.<ProcessHandle>of();
        try (var daemon = new FaultyDaemon(
                here,
                fault.toString(),
                "--log-size",
                "4096",
                "--service-file",
                here.resolve("services").toString())) {
            resumeWhenStopped(daemon, fault);
            if (isServing(daemon)) {
                checkServed(daemon, fault);
                workers = daemon.process().children().collect(Collectors.toSet());
                end(daemon);
            }
            checkEnd(daemon, fault);
        }
        for (var worker : workers) {
            FaultyDaemon.await("worker " + worker.pid() + " has exited", () -> !worker.isAlive());
        }
        if (fault.action() == FaultAction.KILL) {
            serveAfter(Files.createDirectory(here.resolve("next")));
        }
    }

    private static void resumeWhenStopped(FaultyDaemon daemon, Fault fault) {
        if (fault.action() == FaultAction.STOP) {
            Thread.startVirtualThread(
                    () -> { // until it exits, which the test limits
                        while (daemon.process().isAlive()) {
                            if (daemon.state() == 'T') {
                                resume(daemon);
                            }
                            LockSupport.parkNanos(FaultyDaemon.PAUSE);
                        }
                    });
        }
    }

    private static void resume(FaultyDaemon daemon) {
        try {
            daemon.signal("CONT");
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isServing(FaultyDaemon daemon) {
        FaultyDaemon.await(
                "the service listens or has exited",
                () -> !daemon.process().isAlive() || daemon.output().contains("listening on"));
        return daemon.process().isAlive();
    }

    /** Connects again after each failure: a later attempt must be served. */
    private static void checkServed(FaultyDaemon daemon, Fault fault) throws Exception {
        for (var attempt = 1; attempt <= ATTEMPTS && daemon.process().isAlive(); attempt++) {
            if (isServed(daemon.socket())) {
                assertTrue(attempt <= 2, "served at attempt " + attempt);
                return;
            }
            if (fault.action() == FaultAction.KILL) {
                daemon.awaitEnd();
            }
        }
        assertFalse(daemon.process().isAlive(), "no host is served any more: " + daemon.log());
    }

    private static boolean isServed(Path socket) throws Exception {
        try (var host = new FrameHost(socket).hello()) {
            if (!(host.receive().orElse(null) instanceof Frame.Welcome welcome)
                    || welcome.plugins().isEmpty()) {
                return false;
            }
            host.spawn(welcome.plugins().getFirst().id());
            if (!(host.receive().orElse(null) instanceof Frame.Spawned spawned)) {
                return false;
            }
            host.release(spawned.workerId());
            return host.receive().orElse(null) instanceof Frame.Released;
        } catch (IOException e) {
            return false;
        }
    }

    private static void end(FaultyDaemon daemon) throws Exception {
        if (daemon.process().isAlive()) {
            daemon.signal("HUP");
            daemon.process().destroy(); // no effect if SIGHUP killed it
        }
    }

    private static void checkEnd(FaultyDaemon daemon, Fault fault) throws Exception {
        var status = daemon.awaitEnd();
        var injected = daemon.events().contains(fault.point() + " " + fault.action());
        System.out.println(fault + ": " + (injected ? "injected, " : "not reached, ") + status);
        daemon.log()
                .lines()
                .filter(line -> line.contains("[ERR]") || line.contains("[WRN]"))
                .forEach(line -> System.out.println("    " + line));
        if (injected && fault.action() == FaultAction.KILL) {
            assertEquals(KILLED, status);
        } else if (status == NOT_STARTED) {
            assertTrue(daemon.output().contains(fault.point().name()), daemon.output());
        } else {
            assertEquals(TERMINATED, status, daemon.output());
            assertFalse(Files.exists(daemon.socket()), "the socket was not deleted");
        }
    }

    private static void serveAfter(Path folder) throws Exception {
        try (var next = new FaultyDaemon(folder, "").awaitListening()) {
            assertTrue(isServed(next.socket()), next.log());
        }
    }
}
