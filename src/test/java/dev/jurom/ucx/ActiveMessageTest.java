// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
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
    void data_of_any_length_arrives_completely(int length) {
        var received = new ArrayList<byte[]>();
        try (var arena = Arena.ofConfined()) {
            pair.server.handle(ID, message -> {
                var target = arena.allocate(length + 1).asSlice(0, message.length());
                message.receive(target).whenDone(status -> received.add(target.toArray(ValueLayout.JAVA_BYTE)));
            });
            var data = bytes(length);
            var sent = pair.send(ID, data, 0);
            pair.await("the message arrives", () -> !received.isEmpty());
            pair.await(sent);

            assertEquals(1, received.size());
            assertArrayEquals(data, received.getFirst());
        }
    }

    @Test
    void a_header_precedes_the_data() {
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

        IntStream.range(0, 500).forEach(i -> pair.send(ID, new byte[i], 0));
        pair.await("all arrive", () -> received.size() == 500);

        assertEquals(IntStream.range(0, 500).boxed().toList(), received);
    }

    @Test
    void messages_are_sent_in_both_directions() {
        var answers = new ArrayList<Long>();
        pair.client.handle(ID, message -> answers.add(message.length()));
        pair.server.handle(ID, message -> pair.toClient.send(ID, MemorySegment.NULL, MemorySegment.NULL, 0));

        pair.send(ID, new byte[41], UcxEndpoint.REPLY);
        pair.await("an answer arrives", () -> !answers.isEmpty());

        assertEquals(List.of(0L), answers);
    }

    @Test
    void an_exception_of_a_handler_is_thrown_by_progress() {
        pair.server.handle(ID, message -> {
            throw new IllegalArgumentException("not this one");
        });
        pair.send(ID, new byte[1], 0);
        var thrown = assertThrows(IllegalArgumentException.class, () -> pair.await("never", () -> false));
        assertEquals("not this one", thrown.getMessage());

        pair.progress(); // does not throw again
    }

    @Test
    void an_error_of_a_handler_is_thrown_by_progress() {
        pair.server.handle(ID, message -> {
            throw new StackOverflowError("deep");
        });
        pair.send(ID, new byte[1], 0);

        assertThrows(StackOverflowError.class, () -> pair.await("never", () -> false));
    }

    @Test
    void a_target_that_is_too_small_is_rejected() {
        pair.server.handle(ID, message -> {
            try (var arena = Arena.ofConfined()) {
                message.receive(arena.allocate(3));
            }
        });
        pair.send(ID, new byte[4], 0);

        assertThrows(IndexOutOfBoundsException.class, () -> pair.await("never", () -> false));
    }

    @Test
    void data_that_is_not_received_is_dropped() {
        var lengths = new ArrayList<Long>();
        pair.server.handle(ID, message -> lengths.add(message.length()));

        var large = pair.send(ID, new byte[1 << 20], 0);
        pair.await("it is announced", () -> lengths.size() == 1);
        pair.await(large);
        pair.send(ID, new byte[1], 0);
        pair.await("the next one arrives", () -> lengths.size() == 2);

        assertEquals(List.of(1L << 20, 1L), lengths);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 4, 1000, 65_534, 65_535})
    void a_message_without_a_handler_is_dropped(int unknownId) {
        var received = new ArrayList<Long>();
        pair.server.handle(ID, message -> received.add(message.length()));

        pair.send(unknownId, new byte[10], UcxEndpoint.REPLY);
        pair.send(unknownId, new byte[1 << 20], UcxEndpoint.REPLY);
        pair.send(ID, new byte[1], 0);
        pair.await("the next message arrives", () -> !received.isEmpty());

        assertEquals(List.of(1L), received);
    }

    @Test
    void a_message_is_empty_outside_its_handler() {
        var kept = new ArrayList<ActiveMessage>();
        pair.server.handle(ID, kept::add);
        pair.send(ID, new byte[8], UcxEndpoint.REPLY);
        pair.await("the message arrives", () -> !kept.isEmpty());

        assertEquals(0, kept.getFirst().length());
        assertEquals(0, kept.getFirst().header().byteSize());
    }

    @Test
    void a_handler_must_not_progress_its_worker() {
        pair.server.handle(ID, message -> pair.server.progress());
        pair.send(ID, new byte[1], 0);

        assertTrue(assertThrows(IllegalStateException.class, () -> pair.await("never", () -> false))
                .getMessage()
                .contains("callback"));
    }
}
