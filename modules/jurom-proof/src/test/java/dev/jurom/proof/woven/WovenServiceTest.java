// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.proof.faults.FaultPoints;
import dev.jurom.service.wire.Frame;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Injects faults into a real service. */
class WovenServiceTest {

    private static final int KILLED = 137;

    @TempDir
    private Path folder;

    @Test
    void a_failure_takes_effect_and_is_recorded_in_the_table() throws Exception {
        try (var daemon = new FaultyDaemon(folder, "daemon daemon_peer_ask FAIL ENOBUFS").awaitListening();
                var refused = new FrameHost(daemon.socket()).hello()) {
            assertEquals(Optional.empty(), refused.receive());

            assertEquals(List.of("daemon_peer_ask FAIL"), daemon.events());
            var event = daemon.table().events().getFirst();
            assertEquals(daemon.process().pid(), event.process());
            assertEquals(105, event.argument());
            assertTrue(daemon.log().contains("failed with ENOBUFS at the fault point daemon_peer_ask"), daemon.log());
            try (var next = new FrameHost(daemon.socket()).hello()) {
                next.receive(Frame.Welcome.class);
            }
            assertEquals(
                    2,
                    daemon.table()
                            .reached(FaultPoints.read().find("daemon_peer_ask").orElseThrow()));
        }
    }

    @Test
    void a_connection_is_dropped() throws Exception {
        try (var daemon = new FaultyDaemon(folder, "daemon daemon_frame_received DROP after 1").awaitListening();
                var host = new FrameHost(daemon.socket()).hello()) {
            host.receive(Frame.Welcome.class);
            host.spawn(1);

            assertEquals(Optional.empty(), host.receive());
            assertEquals(List.of("daemon_frame_received DROP"), daemon.events());
        }
    }

    @Test
    void short_transfers_are_completed() throws Exception {
        try (var daemon = new FaultyDaemon(folder, """
                daemon daemon_read SHORT 1 times always
                daemon daemon_write SHORT 1 times always
                daemon daemon_log_write SHORT 90 times always
                daemon daemon_status_write SHORT 3 times always
                """).awaitListening();
                var host = new FrameHost(daemon.socket()).hello()) {
            var welcome = host.receive(Frame.Welcome.class);

            assertFalse(welcome.plugins().isEmpty());
            for (var point : List.of("read", "write", "log_write", "status_write")) {
                assertTrue(daemon.events().contains("daemon_" + point + " SHORT"), point);
            }
            assertTrue(daemon.log().lines().allMatch(line -> line.startsWith("[")), daemon.log());
        }
    }

    @Test
    void a_step_is_delayed() throws Exception {
        try (var daemon = new FaultyDaemon(folder, "daemon daemon_welcome DELAY 300ms").awaitListening();
                var host = new FrameHost(daemon.socket())) {
            var begin = System.nanoTime();
            host.hello().receive(Frame.Welcome.class);

            assertTrue(System.nanoTime() - begin >= Duration.ofMillis(300).toNanos());
        }
    }

    @Test
    void the_process_is_stopped_and_killed() throws Exception {
        try (var daemon = new FaultyDaemon(folder, """
                daemon daemon_frame_received STOP
                daemon daemon_frame_served KILL after 1
                """).awaitListening();
                var host = new FrameHost(daemon.socket()).hello()) {
            FaultyDaemon.await("the service is stopped", () -> daemon.state() == 'T');
            daemon.signal("CONT");
            host.receive(Frame.Welcome.class);
            host.spawn(1);

            assertEquals(KILLED, daemon.awaitEnd());
            assertEquals(List.of("daemon_frame_received STOP", "daemon_frame_served KILL"), daemon.events());
        }
    }

    /** A service that was suspended for an hour must not count the time as a hang of its workers. */
    @Test
    void no_worker_is_killed_after_a_clock_jump() throws Exception {
        try (var daemon = new FaultyDaemon(folder, "", "--hang-timeout", "60").awaitListening();
                var host = new FrameHost(daemon.socket()).hello()) {
            host.spawn(host.receive(Frame.Welcome.class).plugins().getFirst().id());
            host.receive(Frame.Spawned.class);
            var clock = FaultPoints.read().find("daemon_hang_clock").orElseThrow();

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
