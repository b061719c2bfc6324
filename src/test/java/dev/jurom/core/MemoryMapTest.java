// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryMapTest {

    private static final int LENGTH = 4096;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment memory = arena.allocate(LENGTH);

    @AfterEach
    void free() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    @Test
    void a_started_map_cannot_be_configured() {
        try (var map = MemoryMap.create().setRange(memory).start();
                var device = Device.open()) {
            assertTrue(map.isStarted());
            assertEquals(LENGTH, map.length());
            assertSame(memory, map.range());

            assertError(DocaError.BAD_STATE, () -> map.setRange(memory));
            assertError(DocaError.BAD_STATE, () -> map.setPermissions(Set.of()));
            assertError(DocaError.NOT_PERMITTED, () -> map.addDevice(device));
            assertError(DocaError.BAD_STATE, () -> map.setUserData(1));
            assertError(DocaError.NOT_PERMITTED, () -> map.setMaxDevices(2));
            assertError(DocaError.BAD_STATE, () -> map.onFree(freed -> {}));
            assertError(DocaError.NOT_PERMITTED, map::start);

            map.stop();
            assertFalse(map.isStarted());
            assertError(DocaError.NOT_PERMITTED, () -> map.setRange(memory));
            map.setPermissions(EnumSet.allOf(AccessFlag.class)).setUserData(-7);
            assertEquals(-7, map.userData());
        }
    }

    @Test
    void a_map_without_memory_does_not_start() {
        try (var map = MemoryMap.create()) {
            assertError(DocaError.BAD_STATE, map::start);
            var refusal = assertThrows(IllegalStateException.class, map::range);
            assertTrue(refusal.getMessage().contains("has no memory yet"), refusal.getMessage());
            assertEquals(0, map.length());
        }
    }

    @Test
    void heap_read_only_and_empty_memory_is_rejected() {
        try (var map = MemoryMap.create()) {
            assertThrows(IllegalArgumentException.class, () -> map.setRange(MemorySegment.ofArray(new byte[8])));
            assertThrows(IllegalArgumentException.class, () -> map.setRange(memory.asReadOnly()));
            assertThrows(IllegalArgumentException.class, () -> map.setRange(memory.asSlice(0, 0)));
        }
    }

    @Test
    void memory_that_has_been_freed_is_rejected_as_the_JDK_does() {
        arena.close();
        try (var map = MemoryMap.create()) {
            var failure = assertThrows(IllegalStateException.class, () -> map.setRange(memory));
            assertEquals("Already closed", failure.getMessage());
        }
    }

    @Test
    void a_device_of_a_map_cannot_be_closed_before_it() {
        var device = Device.open();
        var map = MemoryMap.create().addDevice(device);

        var refusal = assertThrows(IllegalStateException.class, device::close);
        assertTrue(refusal.getMessage().contains("memory map"), refusal.getMessage());
        assertTrue(device.isOpen());

        assertError(DocaError.ALREADY_EXIST, () -> map.addDevice(device));
        map.removeDevice(device);
        assertError(DocaError.NOT_FOUND, () -> map.removeDevice(device));
        device.close();
        map.close();
        map.close();
        assertThrows(IllegalStateException.class, map::start);
    }

    @Test
    void a_map_accepts_the_configured_number_of_devices() {
        try (var device = Device.open();
                var second = anotherDevice();
                var map = MemoryMap.create().setMaxDevices(1).addDevice(device)) {
            assertError(DocaError.NO_MEMORY, () -> map.addDevice(second));
        }
    }

    @Test
    void the_free_listener_receives_the_memory_when_the_map_is_closed() {
        var freed = new ArrayList<MemorySegment>();
        var map = MemoryMap.create().setRange(memory).onFree(freed::add).start();
        assertTrue(freed.isEmpty());

        map.close();
        map.close();

        assertEquals(List.of(memory), freed);
    }

    @Test
    void close_throws_the_exception_of_the_free_listener_and_closes_the_map() {
        var map = MemoryMap.create().setRange(memory).onFree(segment -> {
            throw new ArithmeticException("thrown by the listener");
        });

        assertEquals(
                "thrown by the listener",
                assertThrows(ArithmeticException.class, map::close).getMessage());
        assertFalse(map.isOpen());
        map.close();
    }

    @Test
    void memory_of_a_closed_arena_is_never_accessed() {
        try (var map = MemoryMap.create().setRange(memory);
                var inventory = BufferInventory.create(1).start()) {
            map.start();
            arena.close();

            var refusal = assertThrows(IllegalStateException.class, () -> inventory.buffer(map, 0, 8));
            assertTrue(refusal.getMessage().contains("arena was closed"), refusal.getMessage());
            map.stop();
            assertThrows(IllegalStateException.class, map::start);
        }
    }

    @Test
    void an_import_in_the_same_process_accesses_the_exporters_memory_and_keeps_it_alive() {
        memory.setString(0, "shared");
        try (var device = Device.open();
                var exporter = MemoryMap.create()
                        .setRange(memory)
                        .addDevice(device)
                        .setPermissions(EnumSet.of(AccessFlag.LOCAL_READ_WRITE, AccessFlag.PCI_READ_WRITE))
                        .start()) {
            var imported = MemoryMap.fromExport(exporter.exportPci(device), device);

            assertEquals(LENGTH, imported.length());
            assertEquals("shared", imported.range().getString(0));
            assertError(DocaError.IN_USE, exporter::stop);
            assertThrows(IllegalStateException.class, exporter::close);
            assertError(DocaError.NOT_PERMITTED, () -> imported.setRange(memory));
            assertError(DocaError.NOT_PERMITTED, imported::stop);
            imported.close();
        }
    }

    @Test
    void an_export_needs_permission_a_device_of_the_map_and_a_started_map() {
        try (var device = Device.open();
                var other = anotherDevice();
                var map = MemoryMap.create()
                        .setRange(memory)
                        .addDevice(device)
                        .setPermissions(EnumSet.of(AccessFlag.RDMA_READ))) {
            assertError(DocaError.NOT_PERMITTED, () -> map.exportRdma(device));
            map.start();
            assertTrue(map.exportRdma(device).length > 0);
            assertError(DocaError.NOT_PERMITTED, () -> map.exportPci(device));
            assertError(DocaError.NOT_FOUND, () -> map.exportRdma(other));
        }
    }

    @Test
    void malformed_and_stale_export_descriptors_are_rejected() {
        try (var device = Device.open()) {
            byte[] export;
            try (var map = MemoryMap.create()
                    .setRange(memory)
                    .addDevice(device)
                    .setPermissions(EnumSet.of(AccessFlag.RDMA_READ))
                    .start()) {
                export = map.exportRdma(device);
                assertArrayEquals(export, map.exportRdma(device));
            }

            assertError(DocaError.NOT_FOUND, () -> MemoryMap.fromExport(export, device));
            assertError(DocaError.INVALID_VALUE, () -> MemoryMap.fromExport(new byte[3], device));
            assertError(DocaError.INVALID_VALUE, () -> MemoryMap.fromExport(new byte[export.length], device));
        }
    }

    /** Returns a second device: opening the same device twice returns the same native device. */
    private static Device anotherDevice() {
        var devices = Device.list();
        assumeTrue(devices.size() > 1, "this machine has one device");
        return Device.open(devices.getLast().name());
    }

    private static void assertError(DocaError expected, Runnable action) {
        var failure = assertThrows(DocaException.class, action::run);
        assertEquals(expected, failure.error(), failure.getMessage());
    }
}
