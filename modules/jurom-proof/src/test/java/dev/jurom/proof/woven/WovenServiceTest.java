// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaException;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.proof.faults.FaultPoints;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Injects faults into a real service. */
class WovenServiceTest {

    private static final WorkerConfiguration GRAPH = WorkerConfiguration.of(GraphPlugin.NAME);

    @TempDir
    private Path folder;

    @Test
    void a_failure_takes_effect_and_is_recorded_in_the_table() throws Exception {
        try (var daemon = new FaultyDaemon(folder, "daemon daemon_peer_ask FAIL ENOBUFS")) {
            assertThrows(DocaException.class, daemon::connect);

            assertEquals(List.of("daemon_peer_ask FAIL"), daemon.events());
            var event = daemon.table().events().getFirst();
            assertEquals(daemon.process().pid(), event.process());
            assertEquals(105, event.argument());
            assertTrue(daemon.log().contains("failed with ENOBUFS at the fault point daemon_peer_ask"), daemon.log());
            daemon.connect().close();
        }
    }

    @Test
    void short_transfers_are_completed() throws Exception {
        try (var daemon = new FaultyDaemon(folder, """
                        daemon daemon_read SHORT 1 times always
                        daemon daemon_write SHORT 1 times always
                        daemon daemon_log_write SHORT 90 times always
                        daemon daemon_status_write SHORT 3 times always
                        """);
                var host = daemon.connect();
                var worker = host.startWorker(GRAPH)) {
            assertEquals(1, worker.call(GraphPlugin.LOOPBACK, 1L));

            for (var point : List.of("read", "write", "log_write", "status_write")) {
                assertTrue(daemon.events().contains("daemon_" + point + " SHORT"), point);
            }
            assertTrue(daemon.log().lines().allMatch(line -> line.startsWith("[")), daemon.log());
        }
    }

    /** A service that was suspended for an hour must not treat this time as a hang of its workers. */
    @Test
    void no_worker_is_killed_after_a_clock_jump() throws Exception {
        try (var daemon = new FaultyDaemon(folder, "", "--hang-timeout", "60");
                var host = daemon.connect();
                var worker = host.startWorker(GRAPH)) {
            var clock = FaultPoints.find("daemon_hang_clock").orElseThrow();

            daemon.arm("daemon daemon_hang_clock JUMP 3600s");
            FaultyDaemon.await("the clock has jumped", () -> daemon.events().equals(List.of("daemon_hang_clock JUMP")));
            var checks = daemon.table().reached(clock);
            FaultyDaemon.await(
                    "the workers were checked again", () -> daemon.table().reached(clock) > checks + 1);

            assertFalse(daemon.log().contains("does not answer"), daemon.log());
            assertEquals(1, worker.call(GraphPlugin.LOOPBACK, 1L));
        }
    }
}
