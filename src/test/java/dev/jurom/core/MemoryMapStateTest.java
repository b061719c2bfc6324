// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.MemoryFixture;
import java.lang.foreign.Arena;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the state that the library reports for a memory map. */
class MemoryMapStateTest {

    @Test
    void buffers_are_counted() {
        try (var fixture = new MemoryFixture(64)) {
            assertEquals(0, fixture.map().state().buffers());
            try (var a = fixture.source(0, 8);
                    var b = fixture.source(0, 8)) {
                assertTrue(a.isOpen() && b.isOpen());
                assertEquals(2, fixture.map().state().buffers());
            }
            assertEquals(0, fixture.map().state().buffers());
        }
    }

    @Test
    void exported_and_imported_maps_are_marked() {
        try (var arena = Arena.ofConfined();
                var device = Device.open();
                var map = MemoryMap.create()
                        .setRange(arena.allocate(8))
                        .addDevice(device)
                        .setMaxDevices(7)
                        .setPermissions(Set.of(AccessFlag.PCI_READ_WRITE))
                        .start()) {
            assertEquals(7, map.state().maxDevices());
            assertFalse(map.state().exported() || map.state().imported());
            try (var imported = MemoryMap.fromExport(map.exportPci(device), device)) {
                assertTrue(map.state().exported());
                assertFalse(map.state().imported());
                assertTrue(imported.state().imported());
            }
            map.close();
            assertThrows(IllegalStateException.class, map::state);
        }
    }
}
