// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.internal.Status;
import java.lang.foreign.Arena;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/** Tests the properties of buffer inventories and pools. */
class BufferSourceTest {

    private static final int ELEMENTS = 3;
    private static final int SIZE = 100;

    @Test
    void an_inventory_stores_the_callers_user_data() {
        try (var inventory = BufferInventory.create(1)) {
            assertEquals(0, inventory.userData());
            inventory.setUserData(Long.MIN_VALUE).start();

            assertEquals(Long.MIN_VALUE, inventory.userData());
            assertEquals(
                    DocaError.NOT_PERMITTED,
                    assertThrows(DocaException.class, () -> inventory.setUserData(1))
                            .error());
            inventory.stop();
            assertEquals(1, inventory.setUserData(1).userData());
        }
    }

    @Test
    void buffers_survive_the_stop_of_their_inventory() {
        try (var arena = Arena.ofConfined();
                var map = MemoryMap.create().setRange(arena.allocate(SIZE)).start();
                var inventory = BufferInventory.create(1).start()) {
            try (var buffer = inventory.buffer(map, 0, SIZE)) {
                inventory.stop();
                assertEquals(SIZE, buffer.tail().byteSize());
                assertThrows(IllegalStateException.class, inventory::close);
                assertEquals(0, inventory.free());
            }
            assertEquals(1, inventory.free());
        }
    }

    @Test
    void an_error_of_any_version_of_the_library_has_its_advice() {
        var errors = EnumSet.of(DocaError.EMPTY, DocaError.NO_MEMORY);
        for (var error : errors) {
            var failure = assertThrows(
                    DocaException.class, () -> Status.check(error.code(), "function", "pool", errors, "Close some."));

            assertEquals(error, failure.error());
            assertTrue(failure.getMessage().contains("Close some."), failure.getMessage());
        }
        var other = assertThrows(
                DocaException.class,
                () -> Status.check(DocaError.BAD_STATE.code(), "function", "pool", errors, "Close some."));
        assertFalse(other.getMessage().contains("Close some."), other.getMessage());
        assertDoesNotThrow(() -> Status.check(0, "function", "pool", errors, "Close some."));
    }

    @Test
    void a_pool_stores_the_callers_user_data_and_its_alignment() {
        try (var arena = Arena.ofConfined();
                var map = MemoryMap.create().setRange(arena.allocate(4096, 64)).start();
                var pool = BufferPool.create(ELEMENTS, SIZE, map)) {
            assertEquals(1, pool.alignment());
            pool.setUserData(-1).setAlignment(64).start();

            assertEquals(-1, pool.userData());
            assertEquals(64, pool.alignment());
            assertEquals(ELEMENTS, pool.capacity());
            assertEquals(ELEMENTS, map.state().buffers());
            try (var buffer = pool.buffer()) {
                assertEquals(ELEMENTS - 1, pool.free());
                assertEquals(0, buffer.tail().address() % 64);
                assertEquals(
                        DocaError.IN_USE,
                        assertThrows(DocaException.class, pool::stop).error());
            }
            pool.stop();
            assertEquals(0, map.state().buffers());
            assertEquals(2, pool.setUserData(2).userData());
        }
    }
}
