// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.OtherThread;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BufferTest {

    private static final int CAPACITY = 4;

    private Arena arena;
    private MemorySegment memory;
    private MemoryMap map;
    private BufferInventory inventory;

    @BeforeEach
    void open() {
        arena = Arena.ofConfined();
        memory = arena.allocate(1024);
        map = MemoryMap.create().setRange(memory).start();
        inventory = BufferInventory.create(CAPACITY).start();
    }

    @AfterEach
    void close() {
        inventory.close();
        map.close();
        arena.close();
    }

    @Test
    void views_divide_the_buffer_into_head_data_and_tail() {
        try (var buffer = inventory.buffer(map, 100, 50, 10, 20)) {
            assertEquals(50, buffer.length());
            assertEquals(memory.asSlice(100, 10), buffer.head());
            assertEquals(memory.asSlice(110, 20), buffer.data());
            assertEquals(memory.asSlice(130, 20), buffer.tail());
        }
    }

    @Test
    void appended_bytes_become_data_and_reset_discards_them() {
        try (var buffer = inventory.buffer(map, 0, 8)) {
            assertEquals(0, buffer.dataLength());

            buffer.append(text("abc")).append(text("de"));

            assertEquals("abcde", text(buffer.data()));
            assertThrows(IndexOutOfBoundsException.class, () -> buffer.append(text("fghi")));
            assertEquals(5, buffer.dataLength());
            assertEquals(0, buffer.reset().dataLength());
        }
    }

    @Test
    void a_region_or_data_section_out_of_range_is_rejected() {
        assertThrows(IndexOutOfBoundsException.class, () -> inventory.buffer(map, 1000, 25));
        assertThrows(IndexOutOfBoundsException.class, () -> inventory.buffer(map, -1, 5));
        assertThrows(IndexOutOfBoundsException.class, () -> inventory.buffer(map, 0, -5));
        assertThrows(IndexOutOfBoundsException.class, () -> inventory.buffer(map, Long.MAX_VALUE, Long.MAX_VALUE));
        assertThrows(IndexOutOfBoundsException.class, () -> inventory.buffer(map, 0, 10, 5, 6));
        assertThrows(DocaException.class, () -> inventory.buffer(map, 0, 0));
        try (var buffer = inventory.dataBuffer(map, 0, 10)) {
            assertThrows(IndexOutOfBoundsException.class, () -> buffer.setData(0, 11));
            assertThrows(IndexOutOfBoundsException.class, () -> buffer.setData(-1, 1));
            assertEquals(10, buffer.dataLength());
        }
        assertEquals(CAPACITY, inventory.free());
    }

    @Test
    void numbers_below_one_are_rejected() {
        for (var number : new int[] {0, -1, Integer.MIN_VALUE}) {
            for (Runnable use : List.<Runnable>of(
                    () -> BufferInventory.create(number),
                    () -> inventory.expand(number),
                    () -> BufferPool.create(number, 8, map),
                    () -> BufferPool.create(8, number, map),
                    () -> map.setMaxDevices(number))) {
                var refusal = assertThrows(IllegalArgumentException.class, use::run);
                assertTrue(refusal.getMessage().contains("from 1 to"), refusal.getMessage());
            }
        }
        try (var pool = BufferPool.create(1, 8, map)) {
            for (var alignment : new long[] {0, 3, -8, Long.MIN_VALUE}) {
                assertThrows(IllegalArgumentException.class, () -> pool.setAlignment(alignment));
            }
        }
    }

    @Test
    void an_exhausted_inventory_reports_an_error_until_it_is_expanded() {
        var buffers = List.of(
                inventory.buffer(map, 0, 1),
                inventory.buffer(map, 0, 1),
                inventory.buffer(map, 0, 1),
                inventory.buffer(map, 0, 1));

        var refusal = assertThrows(DocaException.class, () -> inventory.buffer(map, 0, 1));

        assertEquals(DocaError.NO_MEMORY, refusal.error());
        inventory.expand(1);
        inventory.buffer(map, 0, 1).close();
        assertEquals(CAPACITY + 1, inventory.capacity());
        buffers.forEach(Buffer::close);
        assertEquals(CAPACITY + 1, inventory.free());
    }

    @Test
    void an_inventory_and_a_map_cannot_be_closed_before_their_buffers() {
        var buffer = inventory.buffer(map, 0, 16);

        assertTrue(assertThrows(IllegalStateException.class, inventory::close)
                .getMessage()
                .contains("buffer of memory map of 1024 bytes"));
        assertThrows(IllegalStateException.class, map::close);
        assertEquals(
                DocaError.NOT_PERMITTED,
                assertThrows(DocaException.class, map::stop).error());
        assertEquals(1, map.state().buffers());
        assertEquals(16, buffer.length());
        assertEquals(CAPACITY - 1, inventory.free());

        buffer.close();
        buffer.close();
        assertEquals(0, map.state().buffers());
        assertThrows(IllegalStateException.class, buffer::data);
    }

    @Test
    void stopped_maps_and_inventories_create_no_buffers() {
        map.stop();
        assertEquals(
                DocaError.NOT_PERMITTED,
                assertThrows(DocaException.class, () -> inventory.buffer(map, 0, 1))
                        .error());
        map.start();
        inventory.stop();
        assertEquals(
                DocaError.NOT_PERMITTED,
                assertThrows(DocaException.class, () -> inventory.buffer(map, 0, 1))
                        .error());
    }

    @Test
    void a_retained_buffer_lives_until_its_last_reference_is_released() {
        var buffer = inventory.buffer(map, 0, 16).retain();
        assertEquals(2, buffer.references());

        buffer.close();
        buffer.close();
        assertTrue(buffer.isOpen());
        assertEquals(1, buffer.references());

        buffer.release();
        assertFalse(buffer.isOpen());
        assertThrows(IllegalStateException.class, buffer::release);
        assertEquals(CAPACITY, inventory.free());
    }

    @Test
    void a_chained_list_is_iterated_in_order_and_closed_by_its_first_buffer() {
        var a = inventory.buffer(map, 0, 1);
        var b = inventory.buffer(map, 1, 1);
        var c = inventory.buffer(map, 2, 1);
        b.chain(c);

        a.chain(b);

        assertEquals(List.of(a, b, c), a.list());
        assertEquals(List.of(b, c), b.list());
        assertTrue(a.isFirst());
        assertFalse(c.isFirst());
        assertThrows(IllegalStateException.class, b::close);
        assertThrows(IllegalStateException.class, () -> a.chain(c));
        assertThrows(IllegalStateException.class, () -> b.chain(a));
        a.close();
        assertFalse(b.isOpen() || c.isOpen());
        assertEquals(CAPACITY, inventory.free());
    }

    @Test
    void an_unchained_tail_is_a_list_of_its_own() {
        var a = inventory.buffer(map, 0, 1);
        var b = inventory.buffer(map, 1, 1);
        var c = inventory.buffer(map, 2, 1);
        a.chain(b).chain(c);

        a.unchain(b);

        assertEquals(List.of(a), a.list());
        assertEquals(List.of(b, c), b.list());
        assertEquals(
                DocaError.INVALID_VALUE,
                assertThrows(DocaException.class, () -> a.unchain(c)).error());
        a.close();
        assertTrue(b.isOpen());
        b.close();
    }

    @Test
    void only_the_first_buffer_of_a_list_is_retained_and_duplicated() {
        var a = inventory.buffer(map, 0, 1);
        var b = inventory.buffer(map, 1, 1);
        a.chain(b);

        assertThrows(IllegalStateException.class, b::retain);
        assertEquals(
                DocaError.NOT_PERMITTED,
                assertThrows(DocaException.class, () -> inventory.duplicate(b)).error());

        a.retain().close();
        assertTrue(b.isOpen());
        a.release();
        assertFalse(b.isOpen());
    }

    @Test
    void a_duplicate_has_the_same_bytes_and_an_independent_lifetime() {
        var original = inventory.buffer(map, 8, 16, 4, 2);

        var copy = inventory.duplicate(original);
        original.close();

        assertEquals(memory.asSlice(12, 2), copy.data());
        copy.close();
    }

    @Test
    void another_thread_is_rejected() {
        try (var buffer = inventory.buffer(map, 0, 1)) {
            OtherThread.run("intruder", () -> {
                assertThrows(WrongThreadException.class, buffer::data);
                assertThrows(WrongThreadException.class, buffer::close);
                assertThrows(WrongThreadException.class, inventory::close);
                return assertThrows(WrongThreadException.class, () -> inventory.buffer(map, 0, 1));
            });
        }
    }

    @Test
    void a_view_is_invalid_after_the_arena_of_its_memory_is_closed() {
        var brief = Arena.ofConfined();
        var briefMap = MemoryMap.create().setRange(brief.allocate(16)).start();
        var buffer = inventory.dataBuffer(briefMap, 0, 16);
        var view = buffer.data();

        brief.close();

        assertThrows(IllegalStateException.class, () -> view.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0));
        assertThrows(IllegalStateException.class, () -> buffer.reset().append(text("x")));
        buffer.close();
        briefMap.close();
    }

    @Test
    void a_pool_allocates_aligned_buffers_that_do_not_overlap() {
        try (var pool = BufferPool.create(3, 100, map).setAlignment(64).start()) {
            assertEquals(3, pool.free());
            var buffers = List.of(pool.buffer(), pool.buffer(), pool.buffer());

            for (var buffer : buffers) {
                assertEquals(0, buffer.tail().address() % 64);
                assertEquals(100, buffer.tail().byteSize());
                for (var other : buffers) {
                    assertTrue(buffer == other
                            || buffer.tail().asOverlappingSlice(other.tail()).isEmpty());
                }
            }
            assertEquals(
                    DocaError.EMPTY,
                    assertThrows(DocaException.class, pool::buffer).error());
            assertThrows(IllegalStateException.class, pool::close);
            buffers.forEach(Buffer::close);
        }
    }

    @Test
    void a_pool_that_does_not_fit_its_map_does_not_start() {
        try (var pool = BufferPool.create(3, 400, map)) {
            assertEquals(
                    DocaError.INITIALIZATION,
                    assertThrows(DocaException.class, pool::start).error());
            assertEquals(
                    DocaError.BAD_STATE,
                    assertThrows(DocaException.class, pool::buffer).error());
        }
    }

    private static MemorySegment text(String text) {
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String text(MemorySegment segment) {
        return new String(segment.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE), StandardCharsets.US_ASCII);
    }
}
