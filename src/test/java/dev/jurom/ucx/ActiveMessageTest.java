// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ActiveMessageTest {

    private static final int ID = 3;

    private UcxPair pair;

    @BeforeEach
    void connect() {
        pair = new UcxPair();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private static byte[] bytes(int length) {
        var bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 8192, 65_536, 1 << 20})
    void data_arrives_whole_whatever_its_length(int length) {
        var received = new ArrayList<byte[]>();
        try (var arena = Arena.ofConfined()) {
            pair.server.handle(ID, message -> {
                var target = arena.allocate(length + 1).asSlice(0, message.length());
                message.receive(target).whenDone(status ->
                        received.add(target.toArray(ValueLayout.JAVA_BYTE)));
            });
            var data = bytes(length);
            var sent = pair.toServer.send(ID, data, 0);
            pair.await("the message arrives", () -> !received.isEmpty());
            pair.await(sent);

            assertEquals(1, received.size());
            assertArrayEquals(data, received.getFirst());
        }
    }

    @Test
    void a_header_goes_ahead_of_the_data() {
        var received = new ArrayList<String>();
        pair.server.handle(ID, message -> {
            try (var arena = Arena.ofConfined()) {
                var target = arena.allocate(message.length());
                message.receive(target);
                received.add(text(message.header()) + "|" + text(target));
            }
        });
        try (var arena = Arena.ofConfined()) {
            var sent = pair.toServer.send(ID, memory(arena, "head"), memory(arena, "data"), 0);
            pair.await("the message arrives", () -> !received.isEmpty());
            pair.await(sent);
        }

        assertEquals(List.of("head|data"), received);
    }

    private static MemorySegment memory(Arena arena, String text) {
        return arena.allocateFrom(ValueLayout.JAVA_BYTE, text.getBytes());
    }

    private static String text(MemorySegment memory) {
        return new String(memory.toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void messages_keep_their_order() {
        var received = new ArrayList<Integer>();
        pair.server.handle(ID, message -> received.add((int) message.length()));

        IntStream.range(0, 500).forEach(i -> pair.toServer.send(ID, new byte[i], 0));
        pair.await("all arrive", () -> received.size() == 500);

        assertEquals(IntStream.range(0, 500).boxed().toList(), received);
    }

    @Test
    void a_message_that_asks_for_a_reply_names_its_connection() {
        var answers = new ArrayList<Long>();
        pair.client.handle(ID, message -> answers.add(message.length()));
        pair.server.handle(ID, message -> {
            assertSame(pair.toClient, message.replyEndpoint());
            message.replyEndpoint().send(ID, new byte[(int) message.length() + 1], 0);
        });

        pair.toServer.send(ID, new byte[41], UcxEndpoint.REPLY);
        pair.await("an answer arrives", () -> !answers.isEmpty());

        assertEquals(List.of(42L), answers);
    }

    @Test
    void a_message_without_a_reply_has_no_endpoint() {
        var endpoints = new ArrayList<UcxEndpoint>();
        pair.server.handle(ID, message -> endpoints.add(message.replyEndpoint()));

        pair.toServer.send(ID, new byte[1], 0);
        pair.await("the message arrives", () -> !endpoints.isEmpty());

        assertNull(endpoints.getFirst());
    }

    @Test
    void what_a_handler_throws_is_thrown_by_progress() {
        pair.server.handle(ID, message -> {
            throw new IllegalArgumentException("not this one");
        });
        pair.toServer.send(ID, new byte[1], 0);
        var thrown = assertThrows(IllegalArgumentException.class,
                () -> pair.await("never", () -> false));
        assertEquals("not this one", thrown.getMessage());

        pair.progress(); // once only
    }

    @Test
    void an_error_in_a_handler_is_thrown_by_progress_too() {
        pair.server.handle(ID, message -> {
            throw new StackOverflowError("deep");
        });
        pair.toServer.send(ID, new byte[1], 0);

        assertThrows(StackOverflowError.class, () -> pair.await("never", () -> false));
    }

    @Test
    void a_target_that_is_too_small_is_refused() {
        pair.server.handle(ID, message -> {
            try (var arena = Arena.ofConfined()) {
                message.receive(arena.allocate(3));
            }
        });
        pair.toServer.send(ID, new byte[4], 0);

        assertThrows(IndexOutOfBoundsException.class, () -> pair.await("never", () -> false));
    }

    @Test
    void data_that_nobody_receives_is_dropped() {
        var lengths = new ArrayList<Long>();
        pair.server.handle(ID, message -> lengths.add(message.length()));

        var large = pair.toServer.send(ID, new byte[1 << 20], 0);
        pair.await("it is announced", () -> lengths.size() == 1);
        pair.await(large);
        pair.toServer.send(ID, new byte[1], 0);
        pair.await("the next one arrives", () -> lengths.size() == 2);

        assertEquals(List.of(1L << 20, 1L), lengths);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 4, 1000, 65_534, 65_535})
    void a_message_that_nobody_handles_is_dropped(int unknownId) {
        var received = new ArrayList<Long>();
        pair.server.handle(ID, message -> received.add(message.length()));

        pair.toServer.send(unknownId, new byte[10], UcxEndpoint.REPLY);
        pair.toServer.send(unknownId, new byte[1 << 20], UcxEndpoint.REPLY);
        pair.toServer.send(ID, new byte[1], 0);
        pair.await("the message behind it arrives", () -> !received.isEmpty());

        assertEquals(List.of(1L), received);
    }

    @Test
    void a_message_is_empty_outside_its_handler() {
        var kept = new ArrayList<ActiveMessage>();
        pair.server.handle(ID, kept::add);
        pair.toServer.send(ID, new byte[8], UcxEndpoint.REPLY);
        pair.await("the message arrives", () -> !kept.isEmpty());

        assertEquals(0, kept.getFirst().length());
        assertNull(kept.getFirst().replyEndpoint());
    }

    @Test
    void a_handler_must_not_progress_its_worker() {
        pair.server.handle(ID, message -> pair.server.progress());
        pair.toServer.send(ID, new byte[1], 0);

        assertTrue(assertThrows(IllegalStateException.class,
                () -> pair.await("never", () -> false)).getMessage().contains("callback"));
    }

    @Test
    void workers_connect_by_address_too() {
        var received = new ArrayList<Long>();
        pair.server.handle(ID, message -> received.add(message.length()));
        var direct = pair.client.connect(pair.server.address(), null);

        direct.send(ID, new byte[5], 0);
        pair.await("the message arrives", () -> !received.isEmpty());

        assertEquals(List.of(5L), received);
        pair.abort(direct);
    }
}
