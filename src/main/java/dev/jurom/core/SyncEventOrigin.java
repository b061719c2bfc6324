// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Creates the native objects of sync events. */
final class SyncEventOrigin {

    private SyncEventOrigin() {}

    /** Creates an event with a new counter. */
    static Context.NativeContext create(Device device) {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(doca_h.doca_sync_event_create(result), "doca_sync_event_create", device);
            return nativeContext(result.get(ValueLayout.ADDRESS, 0));
        }
    }

    /** Creates an event for an exported counter. */
    static Context.NativeContext fromExport(Device device, byte[] export) {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(
                    doca_h.doca_sync_event_create_from_export(
                            device.handle(), arena.allocateFrom(ValueLayout.JAVA_BYTE, export), export.length, result),
                    "doca_sync_event_create_from_export",
                    device);
            return nativeContext(result.get(ValueLayout.ADDRESS, 0));
        }
    }

    private static Context.NativeContext nativeContext(MemorySegment event) {
        return new Context.NativeContext(
                event,
                doca_h.doca_sync_event_as_ctx(event),
                "doca_sync_event_destroy",
                doca_h::doca_sync_event_destroy);
    }
}
