// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.abi.doca.doca_h;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The capabilities of a device for sync events. Instances are immutable. */
public final class SyncEventCapabilities {

    private final Set<SyncEventTask.Kind> tasks;
    private final boolean pciExport;
    private final boolean pciImport;

    private SyncEventCapabilities(Set<SyncEventTask.Kind> tasks, boolean pciExport, boolean pciImport) {
        this.tasks = Set.copyOf(tasks);
        this.pciExport = pciExport;
        this.pciImport = pciImport;
    }

    /** Queries a native device. */
    static SyncEventCapabilities of(MemorySegment device) {
        return new SyncEventCapabilities(
                Arrays.stream(SyncEventTask.Kind.values())
                        .filter(kind -> has(kind, device))
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(SyncEventTask.Kind.class))),
                doca_h.doca_sync_event_cap_is_export_to_remote_pci_supported(device) == 0,
                doca_h.doca_sync_event_cap_is_create_from_export_supported(device) == 0);
    }

    private static boolean has(SyncEventTask.Kind kind, MemorySegment device) {
        return 0
                == switch (kind) {
                    case GET -> doca_h.doca_sync_event_cap_task_get_is_supported(device);
                    case SET -> doca_h.doca_sync_event_cap_task_notify_set_is_supported(device);
                    case ADD -> doca_h.doca_sync_event_cap_task_notify_add_is_supported(device);
                    case WAIT_EQUAL -> doca_h.doca_sync_event_cap_task_wait_eq_is_supported(device);
                    case WAIT_NOT_EQUAL -> doca_h.doca_sync_event_cap_task_wait_neq_is_supported(device);
                };
    }

    /**
     * Returns the kinds of tasks that the device supports. Stands for
     * {@code doca_sync_event_cap_task_get_is_supported}, {@code doca_sync_event_cap_task_notify_set_is_supported},
     * {@code doca_sync_event_cap_task_notify_add_is_supported}, {@code doca_sync_event_cap_task_wait_eq_is_supported} and
     * {@code doca_sync_event_cap_task_wait_neq_is_supported}.
     *
     * @return an unmodifiable set
     */
    public Set<SyncEventTask.Kind> tasks() {
        return tasks;
    }

    /**
     * Returns whether {@link SyncEvent#exportToRemotePci} works. Stands for
     * {@code doca_sync_event_cap_is_export_to_remote_pci_supported}.
     *
     * @return true if it does
     */
    public boolean pciExport() {
        return pciExport;
    }

    /**
     * Returns whether {@link SyncEvent#fromExport} works. Stands for
     * {@code doca_sync_event_cap_is_create_from_export_supported}.
     *
     * @return true if it does
     */
    public boolean pciImport() {
        return pciImport;
    }

    private List<Object> values() {
        return List.of(tasks, pciExport, pciImport);
    }

    @Override
    @SuppressWarnings("exports") // the annotation is for compilers
    public boolean equals(@Nullable Object other) {
        return other instanceof SyncEventCapabilities that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "SyncEventCapabilities[tasks=" + tasks + ", pciExport=" + pciExport + ", pciImport=" + pciImport + "]";
    }
}
