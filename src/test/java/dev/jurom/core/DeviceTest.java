// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DeviceTest {

    @Test
    void every_device_has_a_name_and_a_pci_address() {
        var devices = Device.list();

        assertFalse(devices.isEmpty());
        for (var device : devices) {
            assertTrue(device.pciAddress().matches("[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]"),
                    device.toString());
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
    void an_unknown_name_is_answered_with_those_that_there_are() {
        var refusal = assertThrows(DocaException.class, () -> Device.open("no such device"));

        assertEquals(DocaError.NOT_FOUND, refusal.error());
        assertEquals("doca_dev_open", refusal.function());
        for (var info : Device.list()) {
            assertTrue(refusal.advice().contains(info.name()), refusal.advice());
        }
    }

    @Test
    void closing_twice_is_fine() {
        var device = Device.open();

        device.close();
        device.close();

        assertFalse(device.isOpen());
    }
}
