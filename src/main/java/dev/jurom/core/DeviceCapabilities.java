// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.abi.doca.doca_h;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The capabilities of a device other than copying and hashing, which {@link DmaContext} and
 * {@link ShaContext} report. A capability that the library does not report is false.
 *
 * @param hotplugManager whether it can add and remove emulated functions:
 *         {@code doca_devinfo_cap_is_hotplug_manager_supported}
 * @param notificationModeration whether it can delay notifications to send fewer:
 *         {@code doca_devinfo_cap_is_notification_moderation_supported}
 * @param resourceReclaim whether it can release its resources faster:
 *         {@code doca_devinfo_cap_is_accelerate_resource_reclaim_supported}
 * @param pciExport whether {@link MemoryMap#exportPci} works:
 *         {@code doca_mmap_cap_is_export_pci_supported}
 * @param pciImport whether {@link MemoryMap#fromExport} works with such exports:
 *         {@code doca_mmap_cap_is_create_from_export_pci_supported}
 * @param syncEvents its capabilities for sync events
 */
public record DeviceCapabilities(
        boolean hotplugManager,
        boolean notificationModeration,
        boolean resourceReclaim,
        boolean pciExport,
        boolean pciImport,
        SyncEventCapabilities syncEvents) {

    @FunctionalInterface
    private interface Question {
        int ask(MemorySegment device, MemorySegment answer);
    }

    /** Queries a native device; {@code result} must have room for any answer. */
    static DeviceCapabilities of(MemorySegment device, MemorySegment result) {
        return new DeviceCapabilities(
                is(doca_h::doca_devinfo_cap_is_hotplug_manager_supported, device, result),
                is(doca_h::doca_devinfo_cap_is_notification_moderation_supported, device, result),
                is(doca_h::doca_devinfo_cap_is_accelerate_resource_reclaim_supported, device, result),
                is(doca_h::doca_mmap_cap_is_export_pci_supported, device, result),
                is(doca_h::doca_mmap_cap_is_create_from_export_pci_supported, device, result),
                SyncEventCapabilities.of(device));
    }

    private static boolean is(Question question, MemorySegment device, MemorySegment result) {
        return question.ask(device, result) == 0 && result.get(ValueLayout.JAVA_BYTE, 0) != 0;
    }
}
