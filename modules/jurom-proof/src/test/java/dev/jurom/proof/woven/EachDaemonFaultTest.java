// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaException;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.proof.faults.Fault;
import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultPoint;
import dev.jurom.proof.faults.FaultPoints;
import dev.jurom.proof.faults.FaultRole;
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
    private static final int NOT_CONFIGURED = 78; // EX_CONFIG: such as a log directory that cannot be used
    /** Points that this test does not reach, since they require a remote host or a worker that hangs. */
    private static final Set<String> UNREACHED = Set.of(
            "daemon_tls_bind",
            "daemon_tls_accept",
            "daemon_tls_options",
            "daemon_tls_handshake",
            "daemon_tls_identified",
            "daemon_ticket_asked",
            "daemon_worker_listens",
            "daemon_worker_killed");

    private static final int SAMPLING = 16; // one of sixteen faults, except in long runs
    private static final int ATTEMPTS = 2;
    private static final long PAUSE = 20_000_000; // nanoseconds
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
                .filter(point -> !UNREACHED.contains(point.name()))
                .flatMap(point -> point.actions().stream().map(action -> fault(point, action)))
                .filter(fault -> LONG || Math.floorMod(fault.toString().hashCode() + day, SAMPLING) == 0)
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
        var directory = Files.createDirectory(folder.resolve(fault.point() + "-" + fault.action()));
        var workers = Set.<ProcessHandle>of();
        try (var daemon = new FaultyDaemon(directory, fault.toString(), "--log-size", "4096")) {
            if (fault.action() == FaultAction.STOP) {
                Thread.startVirtualThread(() -> resume(daemon));
            }
            if (daemon.awaitListening()) {
                checkServed(daemon);
                workers = daemon.process().descendants().collect(Collectors.toSet());
                daemon.signal("HUP");
                daemon.process().destroy();
            }
            checkEnd(daemon, fault);
        }
        for (var worker : workers) {
            FaultyDaemon.await("worker " + worker.pid() + " has exited", () -> !worker.isAlive());
        }
        if (fault.action() == FaultAction.KILL) {
            try (var next = new FaultyDaemon(Files.createDirectory(directory.resolve("next")), "")) {
                assertTrue(isServed(next), () -> "the next service does not serve: " + next.log());
            }
        }
    }

    private static void resume(FaultyDaemon daemon) {
        try {
            while (daemon.process().isAlive()) { // the timeout of checkEnd limits the loop
                daemon.signal("CONT");
                LockSupport.parkNanos(PAUSE);
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Checks that the service serves this host. If the first attempt fails, the second one must succeed
     * unless the service has exited.
     */
    private static void checkServed(FaultyDaemon daemon) throws Exception {
        for (var attempt = 1; attempt <= ATTEMPTS; attempt++) {
            if (!daemon.process().isAlive() || isServed(daemon)) {
                return;
            }
        }
        FaultyDaemon.await(
                "the service exits if it does not serve hosts: " + daemon.log(),
                () -> !daemon.process().isAlive());
    }

    private static boolean isServed(FaultyDaemon daemon) throws InterruptedException {
        try (var host = daemon.connect();
                var worker = host.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            return worker.call(GraphPlugin.LOOPBACK, 1L) == 1;
        } catch (DocaException e) {
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
