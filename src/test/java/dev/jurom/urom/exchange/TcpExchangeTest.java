// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import static dev.jurom.urom.exchange.Participants.DEADLINE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.fixture.OtherThread;
import dev.jurom.fixture.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class TcpExchangeTest {

    private static final byte[] TOKEN = "sixteen bytes or more".getBytes();
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private static List<TcpExchange> open(int participants) {
        var exchanges = new ArrayList<TcpExchange>();
        exchanges.add(TcpExchange.listen(ANY_PORT, participants, TOKEN, DEADLINE));
        for (var i = 1; i < participants; i++) {
            exchanges.add(TcpExchange.connect(exchanges.get(0).address(), participants, i, TOKEN, DEADLINE));
        }
        return exchanges;
    }

    private static ExchangeException failureOf(TcpExchange exchange, int length) {
        try (exchange) {
            return assertThrows(ExchangeException.class, () -> exchange.allGather(new byte[length], DEADLINE));
        }
    }

    @Property(tries = 25)
    void every_participant_receives_all_blocks_in_each_round(
            @ForAll @IntRange(min = 1, max = 5) int participants,
            @ForAll @Size(max = 4) List<@IntRange(max = 200_000) Integer> lengths) {
        var exchanges = open(participants);

        var right = Participants.together(exchanges, exchange -> Participants.rounds(exchange, lengths));

        assertEquals(Collections.nCopies(participants, lengths.size()), right);
        exchanges.forEach(TcpExchange::close);
    }

    @Property(tries = 25)
    void arbitrary_bytes_of_other_clients_are_ignored(@ForAll @Size(max = 200) byte[] bytes) throws IOException {
        var exchanges = open(2);
        try (var intruder = new Socket()) {
            intruder.connect(exchanges.get(0).address());
            intruder.getOutputStream().write(bytes);

            assertEquals(
                    List.of(2, 2),
                    Participants.together(exchanges, exchange -> Participants.rounds(exchange, List.of(10, 20))));
        }
        exchanges.forEach(TcpExchange::close);
    }

    @Test
    void a_client_without_the_token_is_rejected() throws IOException {
        var exchanges = open(2);
        try (var intruder = new Socket()) {
            intruder.connect(exchanges.get(0).address());
            intruder.getOutputStream()
                    .write(TcpFrame.of(TcpFrame.HELLO, TcpFrame.numbers(1, 2), TcpSecret.nonce())
                            .encode()
                            .array());
            intruder.getOutputStream()
                    .write(TcpFrame.of(TcpFrame.PROOF, new byte[TcpSecret.PROOF_SIZE])
                            .encode()
                            .array());

            assertEquals(
                    List.of(1, 1),
                    Participants.together(exchanges, exchange -> Participants.rounds(exchange, List.of(5))));

            intruder.setSoTimeout((int) DEADLINE.toMillis());
            var answer = intruder.getInputStream().readAllBytes();
            assertEquals(TcpFrame.HEADER_SIZE + TcpSecret.NONCE_SIZE + TcpSecret.PROOF_SIZE, answer.length);
        }
        exchanges.forEach(TcpExchange::close);
    }

    @Test
    void participants_may_connect_before_the_coordinator_listens() throws IOException {
        InetSocketAddress address;
        try (var probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            address = (InetSocketAddress) probe.getLocalSocketAddress();
        }
        var early = TcpExchange.connect(address, 2, 1, TOKEN, DEADLINE);
        var gathering = early.begin(new byte[] {2});
        for (var i = 0; i < 3; i++) {
            gathering.poll();
        }

        try (var late = TcpExchange.listen(address, 2, TOKEN, DEADLINE)) {
            var other = OtherThread.start("listener", () -> late.allGather(new byte[] {1}, DEADLINE));
            Waiting.until("the blocks of both", gathering::poll);

            assertArrayEquals(new byte[] {1, 2}, gathering.blocks());
            assertArrayEquals(new byte[] {1, 2}, other.join());
        }
        early.close();
    }

    @Test
    void a_participant_with_a_different_token_reports_the_mismatch() {
        try (var coordinator = TcpExchange.listen(ANY_PORT, 2, TOKEN, DEADLINE)) {
            var intruder =
                    TcpExchange.connect(coordinator.address(), 2, 1, "another token of 16 bytes".getBytes(), DEADLINE);
            var gathering = coordinator.begin(new byte[1]);
            var failure = OtherThread.start("intruder", () -> failureOf(intruder, 1));

            Waiting.until("the refusal", () -> {
                gathering.poll();
                return failure.isDone();
            });

            assertEquals(DocaError.AUTHENTICATION, failure.join().error());
            assertTrue(
                    failure.join().getMessage().contains("token"),
                    failure.join().getMessage());
        }
    }

    @Test
    void blocks_of_different_lengths_are_rejected_at_all_participants() {
        var exchanges = open(3);
        assertEquals(
                List.of(1, 1, 1),
                Participants.together(exchanges, exchange -> Participants.rounds(exchange, List.of(3))));
        var lengths = new int[] {8, 8, 9};

        var failures = Participants.together(
                exchanges, exchange -> failureOf((TcpExchange) exchange, lengths[exchange.index()]));

        assertEquals(DocaError.INVALID_VALUE, failures.get(0).error());
        for (var failure : failures) {
            assertTrue(
                    failure.getMessage().contains("Participant 2")
                            && failure.getMessage().contains("9 bytes instead of 8"),
                    failure.getMessage());
        }
    }

    @Test
    void the_exit_of_a_participant_fails_the_round_of_all_others() {
        var exchanges = open(3);
        assertEquals(
                List.of(1, 1, 1),
                Participants.together(exchanges, exchange -> Participants.rounds(exchange, List.of(3))));

        exchanges.get(1).close();
        var failures = Participants.together(
                List.of(exchanges.get(0), exchanges.get(2)), exchange -> failureOf((TcpExchange) exchange, 3));

        for (var failure : failures) {
            assertEquals(DocaError.CONNECTION_RESET, failure.error());
            assertTrue(failure.getMessage().contains("Participant 1 of 3 has disconnected"), failure.getMessage());
        }
    }

    @Test
    void the_exit_of_the_coordinator_fails_the_round_of_all_others() {
        var exchanges = open(2);
        assertEquals(
                List.of(1, 1), Participants.together(exchanges, exchange -> Participants.rounds(exchange, List.of(3))));

        exchanges.get(0).close();

        var failure = failureOf(exchanges.get(1), 3);
        assertEquals(DocaError.CONNECTION_RESET, failure.error());
        assertTrue(failure.getMessage().contains("participant 0 has left"), failure.getMessage());
    }

    @Test
    void a_timeout_names_the_missing_participants() {
        try (var coordinator = TcpExchange.listen(ANY_PORT, 3, TOKEN, Duration.ofSeconds(1));
                var joined = TcpExchange.connect(coordinator.address(), 3, 1, TOKEN, Duration.ofSeconds(5))) {
            var other = OtherThread.start("participant 1", () -> failureOf(joined, 1));

            var failure = failureOf(coordinator, 1);

            assertEquals(DocaError.TIME_OUT, failure.error());
            assertTrue(failure.getMessage().contains("participant 2 to join"), failure.getMessage());
            other.join();
        }
    }

    @Test
    void a_connection_without_a_listener_times_out_with_an_error() throws IOException {
        InetSocketAddress address;
        try (var probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            address = (InetSocketAddress) probe.getLocalSocketAddress();
        }

        var failure = failureOf(TcpExchange.connect(address, 2, 1, TOKEN, Duration.ofMillis(50)), 1);

        assertEquals(DocaError.TIME_OUT, failure.error());
        assertTrue(failure.getMessage().contains("Connection refused"), failure.getMessage());
    }

    @Test
    void a_listener_with_another_protocol_is_detected() throws IOException {
        try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var answer = OtherThread.start("web server", () -> {
                var socket = other.accept();
                socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes());
                return socket;
            });

            var failure = failureOf(
                    TcpExchange.connect((InetSocketAddress) other.getLocalSocketAddress(), 2, 1, TOKEN, DEADLINE), 1);

            assertEquals(DocaError.UNEXPECTED, failure.error());
            answer.join().close();
        }
    }

    @Test
    void an_index_in_use_is_rejected_with_a_reason() {
        var exchanges = open(3);
        var twin = TcpExchange.connect(exchanges.get(0).address(), 3, 1, TOKEN, DEADLINE);
        var gathering = exchanges.get(0).begin(new byte[1]);
        var first = exchanges.get(1).begin(new byte[1]);
        var missing = new boolean[1];
        var failure = OtherThread.start("twin", () -> {
            Waiting.until("the first participant to join", () -> missing[0]);
            return failureOf(twin, 1);
        });

        Waiting.until("the refusal", () -> {
            gathering.poll();
            first.poll();
            missing[0] = ((TcpCoordinator) exchanges.get(0)).missing().startsWith("participant 2");
            return failure.isDone();
        });

        assertTrue(
                failure.join().getMessage().contains("already joined"),
                failure.join().getMessage());
        exchanges.forEach(TcpExchange::close);
    }

    @Test
    void an_address_in_use_is_an_error_that_names_it() {
        try (var first = TcpExchange.listen(ANY_PORT, 1, TOKEN, DEADLINE)) {
            var failure = assertThrows(
                    ExchangeException.class, () -> TcpExchange.listen(first.address(), 1, TOKEN, DEADLINE));

            assertTrue(failure.getMessage().contains("" + first.address().getPort()), failure.getMessage());
        }
    }

    @Test
    void misuse_is_rejected() {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        assertThrows(IllegalArgumentException.class, () -> TcpExchange.listen(ANY_PORT, 0, TOKEN, DEADLINE));
        assertThrows(IllegalArgumentException.class, () -> TcpExchange.listen(ANY_PORT, 1, new byte[15], DEADLINE));
        assertThrows(IllegalArgumentException.class, () -> TcpExchange.connect(address, 2, 0, TOKEN, DEADLINE));
        assertThrows(IllegalArgumentException.class, () -> TcpExchange.connect(address, 2, 2, TOKEN, DEADLINE));
        var exchange = TcpExchange.connect(address, 2, 1, TOKEN, DEADLINE);
        var gathering = exchange.begin(new byte[1]);
        assertThrows(IllegalStateException.class, gathering::blocks);
        assertThrows(IllegalStateException.class, () -> exchange.begin(new byte[1]));
        exchange.close();
        exchange.close();
        assertThrows(IllegalStateException.class, () -> exchange.begin(new byte[1]));
    }
}
