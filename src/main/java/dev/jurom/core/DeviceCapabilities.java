// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.abi.doca.doca_h;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The capabilities of a device, except those of copies and hashes ({@link DmaContext}, {@link ShaContext}). A capability
 * that its library cannot report is false. Instances are immutable.
 */
public final class DeviceCapabilities {

    @FunctionalInterface
    private interface Query {
        int run(MemorySegment device, MemorySegment answer);
    }

    private final boolean hotplugManager;
    private final boolean notificationModeration;
    private final boolean resourceReclaim;
    private final boolean pciExport;
    private final boolean pciImport;
    private final SyncEventCapabilities syncEvents;

    private DeviceCapabilities(
            boolean hotplugManager,
            boolean notificationModeration,
            boolean resourceReclaim,
            boolean pciExport,
            boolean pciImport,
            SyncEventCapabilities syncEvents) {
        this.hotplugManager = hotplugManager;
        this.notificationModeration = notificationModeration;
        this.resourceReclaim = resourceReclaim;
        this.pciExport = pciExport;
        this.pciImport = pciImport;
        this.syncEvents = syncEvents;
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

    private static boolean is(Query query, MemorySegment device, MemorySegment result) {
        return query.run(device, result) == 0 && result.get(ValueLayout.JAVA_BYTE, 0) != 0;
    }

    /**
     * Returns whether the device can add and remove emulated functions. Stands for
     * {@code doca_devinfo_cap_is_hotplug_manager_supported}.
     *
     * @return true if it can
     */
    public boolean hotplugManager() {
        return hotplugManager;
    }

    /**
     * Returns whether the device can delay notifications in order to send fewer. Stands for
     * {@code doca_devinfo_cap_is_notification_moderation_supported}.
     *
     * @return true if it can
     */
    public boolean notificationModeration() {
        return notificationModeration;
    }

    /**
     * Returns whether the device can accelerate the reclamation of its resources. Stands for
     * {@code doca_devinfo_cap_is_accelerate_resource_reclaim_supported}.
     *
     * @return true if it can
     */
    public boolean resourceReclaim() {
        return resourceReclaim;
    }

    /**
     * Returns whether {@link MemoryMap#exportPci} works. Stands for {@code doca_mmap_cap_is_export_pci_supported}.
     *
     * @return true if it does
     */
    public boolean pciExport() {
        return pciExport;
    }

    /**
     * Returns whether {@link MemoryMap#fromExport} accepts exports of {@link MemoryMap#exportPci}. Stands for
     * {@code doca_mmap_cap_is_create_from_export_pci_supported}.
     *
     * @return true if it does
     */
    public boolean pciImport() {
        return pciImport;
    }

    /**
     * Returns the device's capabilities for sync events.
     *
     * @return the capabilities
     */
    public SyncEventCapabilities syncEvents() {
        return syncEvents;
    }

    private List<Object> values() {
        return List.of(hotplugManager, notificationModeration, resourceReclaim, pciExport, pciImport, syncEvents);
    }

    @Override
    @SuppressWarnings("exports") // the annotation is for compilers
    public boolean equals(@Nullable Object other) {
        return other instanceof DeviceCapabilities that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "DeviceCapabilities[hotplugManager=" + hotplugManager + ", notificationModeration="
                + notificationModeration + ", resourceReclaim=" + resourceReclaim + ", pciExport=" + pciExport
                + ", pciImport=" + pciImport + ", syncEvents=" + syncEvents + "]";
    }
}
