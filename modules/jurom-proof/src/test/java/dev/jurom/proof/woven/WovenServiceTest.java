// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameEncoder;
import dev.jurom.urom.WorkerId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Injects faults into a real service. */
class WovenServiceTest {

    @TempDir
    private Path folder;

    private static Frame.Welcome welcome(RawConnection host) throws Exception {
        return assertInstanceOf(
                Frame.Welcome.class, host.awaitFrame(FaultyDaemon.PATIENCE).orElseThrow());
    }

    @Test
    void a_failure_takes_effect_and_is_recorded_in_the_table() throws Exception {
        try (var daemon = new FaultyDaemon(folder, "daemon daemon_peer_ask FAIL ENOBUFS");
                var refused = daemon.connect()) {
            assertEquals(Optional.empty(), refused.awaitFrame(FaultyDaemon.PATIENCE));

            assertEquals(List.of("daemon_peer_ask FAIL"), daemon.events());
            var event = daemon.table().events().getFirst();
            assertEquals(daemon.process().pid(), event.process());
            assertEquals(105, event.argument());
            assertTrue(daemon.log().contains("failed with ENOBUFS at the fault point daemon_peer_ask"), daemon.log());
            try (var next = daemon.connect()) {
                welcome(next);
            }
            var point = FaultyDaemon.POINTS.find("daemon_peer_ask").orElseThrow();
            assertEquals(2, daemon.table().reached(point));
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
                var host = daemon.connect()) {
            assertFalse(welcome(host).plugins().isEmpty());

            for (var point : List.of("read", "write", "log_write", "status_write")) {
                assertTrue(daemon.events().contains("daemon_" + point + " SHORT"), point);
            }
            assertTrue(daemon.log().lines().allMatch(line -> line.startsWith("[")), daemon.log());
        }
    }

    /** A service that was suspended for an hour must not count the time as a hang of its workers. */
    @Test
    void no_worker_is_killed_after_a_clock_jump() throws Exception {
        try (var daemon = new FaultyDaemon(folder, "", "--hang-timeout", "60");
                var host = daemon.connect()) {
            var plugin = welcome(host).plugins().getFirst().id();
            host.send(FrameEncoder.encode(
                    new Frame.Spawn(2, WorkerId.ANY, plugin, OptionalInt.empty(), Optional.empty(), List.of())));
            assertInstanceOf(
                    Frame.Spawned.class, host.awaitFrame(FaultyDaemon.PATIENCE).orElseThrow());
            var clock = FaultyDaemon.POINTS.find("daemon_hang_clock").orElseThrow();

            daemon.arm("daemon daemon_hang_clock JUMP 3600s");
            FaultyDaemon.await("the clock has jumped", () -> daemon.events().equals(List.of("daemon_hang_clock JUMP")));
            var checks = daemon.table().reached(clock);
            FaultyDaemon.await(
                    "the workers were checked again", () -> daemon.table().reached(clock) > checks + 1);

            assertFalse(daemon.log().contains("does not answer"), daemon.log());
            assertEquals(1, daemon.process().children().count());
        }
    }
}
