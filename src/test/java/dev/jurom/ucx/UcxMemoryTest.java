// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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

class UcxMemoryTest {

    private static final int SIZE = 100_000;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment target = arena.allocate(SIZE, 8);
    private UcxPair pair;
    private UcxMemory memory;
    private PeerMemory remote;

    @BeforeEach
    void open() {
        pair = new UcxPair();
        memory = pair.context.map(target);
        remote = new PeerMemory(pair.toServer, memory.packKey(), target.address());
    }

    @AfterEach
    void close() {
        remote.close();
        memory.close();
        memory.close();
        pair.close();
        arena.close();
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "7, 100", "0, 100000", "99999, 1", "50000, 0"})
    void put_writes_the_given_range_only(int offset, int length) {
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
    void get_reads_the_given_range(int offset, int length) {
        var content = new byte[SIZE];
        new Random(1).nextBytes(content);
        target.copyFrom(MemorySegment.ofArray(content));
        var got = arena.allocate(length);

        pair.await(remote.get(got, offset));

        assertArrayEquals(Arrays.copyOfRange(content, offset, offset + length), got.toArray(ValueLayout.JAVA_BYTE));
    }

    private MemorySegment local(byte[] bytes) {
        return arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
    }

    @Test
    void the_key_of_unmapped_memory_cannot_be_packed() {
        memory.close();

        assertThrows(IllegalStateException.class, memory::packKey);
    }

    @Test
    void a_context_cannot_be_closed_before_its_mapped_memory() {
        try (var other = UcxContext.open(EnumSet.of(UcxFeature.REMOTE_MEMORY), UcxPair.SHARED_MEMORY)) {
            var mapped = other.map(target);
            assertTrue(assertThrows(IllegalStateException.class, other::close)
                    .getMessage()
                    .contains("1 open"));
            mapped.close();
        }
    }

    @Test
    void heap_memory_cannot_be_mapped() {
        assertThrows(IllegalArgumentException.class, () -> pair.context.map(MemorySegment.ofArray(new byte[8])));
        assertThrows(
                IllegalArgumentException.class,
                () -> pair.context.map(arena.allocate(8).asSlice(0, 0)));
    }
}
