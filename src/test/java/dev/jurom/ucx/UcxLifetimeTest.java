// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.abi.posix.pollfd;
import dev.jurom.abi.posix.posix_h;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.testing.OtherThread;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Opening, closing, losing and sleeping. */
class UcxLifetimeTest {

    @Test
    void closing_twice_is_harmless() {
        var pair = new UcxPair();
        pair.abort(pair.toServer, pair.toClient);
        pair.abort(pair.toServer, pair.toClient);
        pair.listener.close();
        pair.listener.close();
        pair.client.close();
        pair.client.close();
        pair.server.close();
        pair.context.close();
        pair.context.close();
    }

    @Test
    void closing_in_the_wrong_order_throws_and_changes_nothing() {
        try (var pair = new UcxPair()) {
            assertTrue(assertThrows(IllegalStateException.class, pair.context::close).getMessage()
                    .contains("2 open workers"));
            assertTrue(assertThrows(IllegalStateException.class, pair.server::close).getMessage()
                    .contains("1 open endpoints and 1 listeners"));

            pair.await(pair.toServer.flush());
        }
    }

    @Test
    void what_is_closed_cannot_be_used() {
        var pair = new UcxPair();
        pair.close();

        assertThrows(IllegalStateException.class, pair.toServer::flush);
        assertThrows(IllegalStateException.class, () -> pair.toServer.send(1, new byte[1], 0));
        assertThrows(IllegalStateException.class, pair.client::progress);
        assertThrows(IllegalStateException.class, pair.client::address);
        assertThrows(IllegalStateException.class, pair.context::createWorker);
    }

    @Test
    void a_worker_belongs_to_its_thread() {
        try (var pair = new UcxPair()) {
            OtherThread.run("stranger", () -> {
                assertTrue(assertThrows(WrongThreadException.class, pair.client::progress)
                        .getMessage().contains("stranger"));
                assertThrows(WrongThreadException.class, pair.toServer::flush);
                assertThrows(WrongThreadException.class, pair.client::close);
                assertThrows(WrongThreadException.class, pair.listener::close);
                return null;
            });
        }
    }

    @Test
    void a_setting_that_ucx_does_not_take_is_named() {
        DocaRuntime.current();
        var thrown = assertThrows(UcxException.class, () -> UcxContext.open(
                EnumSet.of(UcxFeature.ACTIVE_MESSAGES), Map.of("RNDV_THRESH", "plenty")));

        assertTrue(thrown.getMessage().contains("RNDV_THRESH=plenty"), thrown.getMessage());
        assertTrue(thrown.getMessage().endsWith(": Invalid parameter"), thrown.getMessage());
    }

    @Test
    void a_listener_knows_its_port_and_its_clients() {
        try (var pair = new UcxPair()) {
            assertTrue(pair.listener.address().getPort() > 0);
            assertTrue(pair.listener.address().getAddress().isLoopbackAddress());

            var clients = new ArrayList<InetSocketAddress>();
            var listener = pair.server.listen(new InetSocketAddress("127.0.0.1", 0), request -> {
                clients.add(request.clientAddress());
                request.reject();
                assertThrows(IllegalStateException.class, request::reject);
            });
            var failures = new ArrayList<Integer>();
            var rejected = pair.client.connect(listener.address(),
                    (endpoint, status) -> failures.add(status));
            pair.await("the client is told", () -> !failures.isEmpty());

            assertTrue(clients.getFirst().getAddress().isLoopbackAddress());
            pair.abort(rejected);
            listener.close();
        }
    }

    @Test
    void who_is_not_answered_is_rejected() {
        try (var pair = new UcxPair()) {
            var listener = pair.server.listen(new InetSocketAddress("127.0.0.1", 0),
                    request -> { });
            var failures = new ArrayList<Integer>();
            var ignored = pair.client.connect(listener.address(),
                    (endpoint, status) -> failures.add(status));
            pair.await("the client is told", () -> !failures.isEmpty());

            assertEquals(1, failures.size());
            pair.abort(ignored);
            listener.close();
        }
    }

    @Test
    void ipv6_addresses_work_where_there_are_any() {
        try (var pair = new UcxPair()) {
            var accepted = new ArrayList<UcxEndpoint>();
            UcxListener listener;
            try {
                listener = pair.server.listen(new InetSocketAddress("::1", 0),
                        request -> accepted.add(request.accept((endpoint, status) -> { })));
            } catch (UcxException e) {
                Assumptions.abort("this machine has no IPv6");
                return;
            }
            assertEquals("0:0:0:0:0:0:0:1", listener.address().getAddress().getHostAddress());
            listener.close();
        }
    }

    @Test
    void nobody_listening_is_told_to_the_failure_handler() {
        try (var pair = new UcxPair()) {
            InetSocketAddress address;
            try (var listener = pair.server.listen(new InetSocketAddress("127.0.0.1", 0),
                    request -> { })) {
                address = listener.address();
            }
            var failures = new ArrayList<Integer>();
            var endpoint = pair.client.connect(address, (failed, status) -> failures.add(status));
            pair.await("the client is told", () -> !failures.isEmpty());

            assertTrue(endpoint.isOpen()); // until it is closed
            pair.abort(endpoint);
        }
    }

    @Test
    void the_end_of_a_peer_is_told_to_the_failure_handler() {
        try (var pair = new UcxPair()) {
            pair.await(pair.toServer.flush());
            pair.abort(pair.toServer);
            pair.await("the server is told", () -> pair.serverFailure != null);

            assertTrue(pair.serverFailure < 0);
        }
    }

    @Test
    void disconnecting_lets_what_was_sent_arrive() {
        try (var pair = new UcxPair()) {
            var received = new ArrayList<Long>();
            pair.server.handle(9, message -> received.add(message.length()));
            for (var i = 0; i < 100; i++) {
                pair.toServer.send(9, new byte[8000], 0);
            }
            var closed = pair.toServer.disconnect();
            assertFalse(pair.toServer.isOpen());

            pair.await("all arrive", () -> received.size() == 100);
            pair.await("the endpoint is closed", closed::isDone);
        }
    }

    @Test
    void a_signal_wakes_a_sleeper_once() {
        try (var pair = new UcxPair(); var arena = Arena.ofConfined()) {
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
    void a_message_wakes_a_sleeper() {
        try (var pair = new UcxPair(); var arena = Arena.ofConfined()) {
            pair.await(pair.toServer.flush());
            rest(pair.server);
            pair.toServer.send(9, new byte[100], 0);
            while (pair.client.progress()) {
                // until it has left
            }

            assertTrue(isReadable(pair.server, arena, 10_000));
        }
    }

    private static void rest(UcxWorker worker) {
        do {
            while (worker.progress()) {
                // until nothing moves
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
