// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.abi.doca.doca_h;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The capabilities of a device for sync events.
 *
 * @param tasks the supported kinds of tasks: {@code doca_sync_event_cap_task_get_is_supported},
 *         {@code doca_sync_event_cap_task_notify_set_is_supported},
 *         {@code doca_sync_event_cap_task_notify_add_is_supported},
 *         {@code doca_sync_event_cap_task_wait_eq_is_supported},
 *         {@code doca_sync_event_cap_task_wait_neq_is_supported}
 * @param pciExport whether {@link SyncEvent#exportToRemotePci} works:
 *         {@code doca_sync_event_cap_is_export_to_remote_pci_supported}
 * @param pciImport whether {@link SyncEvent#fromExport} works:
 *         {@code doca_sync_event_cap_is_create_from_export_supported}
 */
public record SyncEventCapabilities(Set<SyncEventTask.Kind> tasks, boolean pciExport, boolean pciImport) {

    /**
     * Creates a description.
     *
     * @param tasks the supported kinds of tasks, which are copied
     * @param pciExport whether counters can be exported
     * @param pciImport whether exported counters can be used
     */
    public SyncEventCapabilities {
        tasks = Set.copyOf(tasks);
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
}
