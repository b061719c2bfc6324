// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class DeviceTest {

    @Test
    void every_device_has_a_name_and_a_pci_address() {
        var devices = Device.list();

        assertFalse(devices.isEmpty());
        for (var device : devices) {
            assertTrue(device.pciAddress().matches("[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]"), device.toString());
            assertTrue(device.isNamed(device.name()), device.toString());
        }
    }

    @Test
    void a_device_opens_by_any_of_its_names() {
        for (var info : Device.list()) {
            try (var device = Device.open(info.name())) {
                assertEquals(info, device.info());
            }
            try (var device = Device.open(info.pciAddress())) {
                assertEquals(info.pciAddress(), device.info().pciAddress());
            }
        }
    }

    @Test
    void an_unknown_name_is_rejected_with_the_list_of_devices() {
        var refusal = assertThrows(DocaException.class, () -> Device.open("no such device"));

        assertEquals(DocaError.NOT_FOUND, refusal.error());
        assertEquals("doca_dev_open", refusal.function());
        for (var info : Device.list()) {
            assertTrue(refusal.advice().contains(info.name()), refusal.advice());
        }
    }

    @Test
    void a_pci_address_may_be_short_and_in_upper_case() {
        var info = Device.list().getFirst();

        assertTrue(info.isNamed(info.pciAddress().substring(5)));
        assertTrue(info.isNamed(info.pciAddress().toUpperCase(Locale.ROOT)));
        assertFalse(info.isNamed(info.pciAddress().substring(6)));
    }

    @Test
    void names_and_addresses_match_the_operating_system() throws IOException {
        for (var info : Device.list()) {
            var system = Path.of("/sys/class/net", info.interfaceName());
            if (info.interfaceName().isEmpty() || Files.notExists(system)) {
                assertEquals("soft0", info.infinibandName());
                continue;
            }
            assertEquals(
                    Files.readString(system.resolve("address")).strip(),
                    info.macAddress().orElseThrow());
            assertEquals(
                    Files.readString(system.resolve("ifindex")).strip(),
                    String.valueOf(info.function().adapterId().orElseThrow()));
            for (var address : List.of(info.ipv4Address(), info.ipv6Address())) {
                if (address.isPresent()) {
                    assertEquals(
                            info.interfaceName(),
                            NetworkInterface.getByInetAddress(address.get()).getName());
                }
            }
        }
    }

    @Test
    void a_software_device_is_an_ethernet_physical_function_with_all_capabilities() {
        for (var info : Device.list()) {
            assertEquals(Optional.of(PciFunction.Kind.PHYSICAL), info.function().kind());
            assertEquals(OptionalInt.empty(), info.function().scalableIndex());
            assertEquals(OptionalInt.of(0), info.lid());
            assertTrue(info.activeRate().orElseThrow() >= 0, info::toString);

            var can = info.capabilities();
            assertFalse(can.hotplugManager() || can.notificationModeration() || can.resourceReclaim(), can::toString);
            assertTrue(can.pciExport() && can.pciImport(), can::toString);
            assertEquals(
                    EnumSet.allOf(SyncEventTask.Kind.class), can.syncEvents().tasks());
            assertTrue(can.syncEvents().pciExport() && can.syncEvents().pciImport());
        }
    }

    @Test
    void closing_twice_is_harmless() {
        var device = Device.open();

        device.close();
        device.close();

        assertFalse(device.isOpen());
    }
}
