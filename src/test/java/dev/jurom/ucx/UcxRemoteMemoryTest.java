// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UcxRemoteMemoryTest {

    private static final int SIZE = 100_000;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment target = arena.allocate(SIZE, 8);
    private UcxPair pair;
    private UcxMemory memory;
    private UcxRemoteMemory remote;

    @BeforeEach
    void open() {
        pair = new UcxPair();
        memory = pair.context.map(target);
        remote = pair.toServer.open(memory.packKey(), memory.address(), memory.length());
    }

    @AfterEach
    void close() {
        remote.close();
        remote.close();
        memory.close();
        memory.close();
        pair.close();
        arena.close();
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "7, 100", "0, 100000", "99999, 1", "50000, 0"})
    void what_is_put_is_there_and_nothing_else_is_touched(int offset, int length) {
        var before = target.toArray(ValueLayout.JAVA_BYTE);
        var data = new byte[length];
        new Random(length).nextBytes(data);
        System.arraycopy(data, 0, before, offset, length);

        pair.await(remote.put(local(data), offset));
        pair.await(pair.toServer.flush());

        assertArrayEquals(before, target.toArray(ValueLayout.JAVA_BYTE));
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "7, 100", "0, 100000", "99999, 1"})
    void what_is_there_can_be_got(int offset, int length) {
        var content = new byte[SIZE];
        new Random(1).nextBytes(content);
        target.copyFrom(MemorySegment.ofArray(content));
        var got = arena.allocate(length);

        pair.await(remote.get(got, offset));

        assertArrayEquals(Arrays.copyOfRange(content, offset, offset + length),
                got.toArray(ValueLayout.JAVA_BYTE));
    }

    private MemorySegment local(byte[] bytes) {
        return arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
    }

    @Test
    void nothing_past_the_end_is_reached() {
        assertThrows(IndexOutOfBoundsException.class,
                () -> remote.put(local(new byte[2]), SIZE - 1));
        assertThrows(IndexOutOfBoundsException.class, () -> remote.put(local(new byte[1]), -1));
        assertThrows(IndexOutOfBoundsException.class,
                () -> remote.get(arena.allocate(SIZE + 1), 0));
        assertThrows(IndexOutOfBoundsException.class,
                () -> remote.post(AtomicOperation.ADD, arena.allocate(8), SIZE - 4));
    }

    @ParameterizedTest
    @CsvSource({"ADD, 12, 10, 22", "AND, 12, 10, 8", "OR, 12, 10, 14", "XOR, 12, 10, 6"})
    void numbers_change_atomically(AtomicOperation operation, long before, long operand,
            long after) {
        target.set(ValueLayout.JAVA_LONG, 16, before);
        target.set(ValueLayout.JAVA_INT, 32, (int) before);

        pair.await(remote.post(operation, arena.allocateFrom(ValueLayout.JAVA_LONG, operand), 16));
        pair.await(remote.post(operation,
                arena.allocateFrom(ValueLayout.JAVA_INT, (int) operand), 32));
        pair.await(pair.toServer.flush());

        assertEquals(after, target.get(ValueLayout.JAVA_LONG, 16));
        assertEquals(after, target.get(ValueLayout.JAVA_INT, 32));
    }

    @Test
    void a_fetch_gives_what_was_there_before() {
        target.set(ValueLayout.JAVA_LONG, 8, 40);
        var result = arena.allocate(ValueLayout.JAVA_LONG);

        pair.await(remote.fetch(AtomicOperation.ADD,
                arena.allocateFrom(ValueLayout.JAVA_LONG, 2), 8, result));

        assertEquals(40, result.get(ValueLayout.JAVA_LONG, 0));
        assertEquals(42, target.get(ValueLayout.JAVA_LONG, 8));
    }

    @Test
    void a_number_is_swapped() {
        target.set(ValueLayout.JAVA_LONG, 8, 40);
        var result = arena.allocate(ValueLayout.JAVA_LONG);

        pair.await(remote.fetch(AtomicOperation.SWAP,
                arena.allocateFrom(ValueLayout.JAVA_LONG, 7), 8, result));

        assertEquals(40, result.get(ValueLayout.JAVA_LONG, 0));
        assertEquals(7, target.get(ValueLayout.JAVA_LONG, 8));
    }

    @ParameterizedTest
    @CsvSource({"40, 99", "41, 40"})
    void a_number_is_swapped_only_if_it_is_the_expected_one(long expected, long after) {
        target.set(ValueLayout.JAVA_LONG, 8, 40);
        var result = arena.allocateFrom(ValueLayout.JAVA_LONG, 99);

        pair.await(remote.fetch(AtomicOperation.COMPARE_AND_SWAP,
                arena.allocateFrom(ValueLayout.JAVA_LONG, expected), 8, result));

        assertEquals(40, result.get(ValueLayout.JAVA_LONG, 0));
        assertEquals(after, target.get(ValueLayout.JAVA_LONG, 8));
    }

    @Test
    void atomic_operations_that_make_no_sense_are_refused() {
        var number = arena.allocate(8);
        assertThrows(IllegalArgumentException.class,
                () -> remote.post(AtomicOperation.SWAP, number, 0));
        assertThrows(IllegalArgumentException.class,
                () -> remote.post(AtomicOperation.ADD, arena.allocate(3), 0));
        assertThrows(IllegalArgumentException.class,
                () -> remote.post(AtomicOperation.ADD, number, 4 + 2));
        assertThrows(IllegalArgumentException.class,
                () -> remote.fetch(AtomicOperation.ADD, number, 0, arena.allocate(4)));
    }

    @Test
    void what_is_closed_cannot_be_used() {
        remote.close();
        memory.close();

        assertThrows(IllegalStateException.class, () -> remote.put(local(new byte[1]), 0));
        assertThrows(IllegalStateException.class, memory::packKey);
    }

    @Test
    void mapped_memory_keeps_its_context_open() {
        try (var other = UcxContext.open(EnumSet.of(UcxFeature.REMOTE_MEMORY),
                UcxPair.TCP)) {
            var mapped = other.map(target);
            assertTrue(assertThrows(IllegalStateException.class, other::close).getMessage()
                    .contains("1 open"));
            mapped.close();
        }
    }

    @Test
    void heap_memory_cannot_be_mapped() {
        assertThrows(IllegalArgumentException.class,
                () -> pair.context.map(MemorySegment.ofArray(new byte[8])));
        assertThrows(IllegalArgumentException.class,
                () -> pair.context.map(arena.allocate(8).asSlice(0, 0)));
    }
}
