// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.abi.posix.pollfd;
import dev.jurom.abi.posix.posix_h;
import dev.jurom.fixture.OtherThread;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests opening and closing UCX objects, and waiting for events. */
class UcxLifetimeTest {

    @Test
    void closing_twice_is_harmless() {
        var pair = new UcxPair();
        pair.abort(pair.toServer, pair.toClient);
        pair.abort(pair.toServer, pair.toClient);
        pair.client.close();
        pair.client.close();
        pair.server.close();
        pair.context.close();
        pair.context.close();
    }

    @Test
    void closing_in_the_wrong_order_throws_and_changes_nothing() {
        try (var pair = new UcxPair()) {
            assertTrue(assertThrows(IllegalStateException.class, pair.context::close)
                    .getMessage()
                    .contains("2 open workers"));
            assertTrue(assertThrows(IllegalStateException.class, pair.server::close)
                    .getMessage()
                    .contains("1 open endpoints"));

            pair.await(pair.toServer.flush());
        }
    }

    @Test
    void closed_objects_cannot_be_used() {
        var pair = new UcxPair();
        pair.close();

        assertThrows(IllegalStateException.class, pair.toServer::flush);
        assertThrows(
                IllegalStateException.class, () -> pair.toServer.send(1, MemorySegment.NULL, MemorySegment.NULL, 0));
        assertThrows(IllegalStateException.class, pair.client::progress);
        assertThrows(IllegalStateException.class, pair.client::address);
        assertThrows(IllegalStateException.class, pair.context::createWorker);
    }

    @Test
    void a_worker_is_confined_to_its_thread() {
        try (var pair = new UcxPair()) {
            OtherThread.run("other thread", () -> {
                assertTrue(assertThrows(WrongThreadException.class, pair.client::progress)
                        .getMessage()
                        .contains("other thread"));
                assertThrows(WrongThreadException.class, pair.toServer::flush);
                assertThrows(WrongThreadException.class, pair.client::close);
                return null;
            });
        }
    }

    @Test
    void a_setting_rejected_by_ucx_is_named() {
        var thrown = assertThrows(
                UcxException.class,
                () -> UcxContext.open(EnumSet.of(UcxFeature.ACTIVE_MESSAGES), Map.of("RNDV_THRESH", "plenty")));

        assertTrue(thrown.getMessage().contains("RNDV_THRESH=plenty"), thrown.getMessage());
        assertTrue(thrown.getMessage().endsWith(": Invalid parameter"), thrown.getMessage());
    }

    @Test
    void messages_sent_before_disconnecting_arrive() {
        try (var pair = new UcxPair()) {
            var received = new ArrayList<Long>();
            pair.server.handle(9, message -> received.add(message.length()));
            for (var i = 0; i < 100; i++) {
                pair.send(9, new byte[8000], 0);
            }
            var closed = pair.toServer.disconnect();
            assertFalse(pair.toServer.isOpen());

            pair.await("all arrive", () -> received.size() == 100);
            pair.await("the endpoint is closed", closed::isDone);
        }
    }

    @Test
    void a_signal_wakes_a_waiting_thread_once() {
        try (var pair = new UcxPair();
                var arena = Arena.ofConfined()) {
            pair.await(pair.toServer.flush());
            rest(pair.client);
            assertFalse(isReadable(pair.client, arena, 0));

            OtherThread.start("waker", () -> {
                pair.client.signal();
                return null;
            });
            assertTrue(isReadable(pair.client, arena, 10_000));

            rest(pair.client);
            assertFalse(isReadable(pair.client, arena, 0));
        }
    }

    @Test
    void a_message_wakes_a_waiting_thread() {
        try (var pair = new UcxPair();
                var arena = Arena.ofConfined()) {
            pair.await(pair.toServer.flush());
            rest(pair.server);
            pair.send(9, new byte[100], 0);
            while (pair.client.progress()) {
                // until it is sent
            }

            assertTrue(isReadable(pair.server, arena, 10_000));
        }
    }

    private static void rest(UcxWorker worker) {
        do {
            while (worker.progress()) {
                // until no progress is made
            }
        } while (!worker.arm());
    }

    private static boolean isReadable(UcxWorker worker, Arena arena, int milliseconds) {
        var poll = pollfd.allocate(arena);
        pollfd.fd(poll, worker.eventDescriptor());
        pollfd.events(poll, (short) posix_h.POLLIN());
        return posix_h.poll(poll, 1, milliseconds) == 1;
    }
}
