// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.abi.doca.doca_h;
import java.lang.foreign.MemorySegment;

/** Reads and sets the operands of native tasks of sync events. Each kind has its own functions. */
final class SyncEventOperand {

    private SyncEventOperand() {}

    /** Returns the value to set, to add or to wait for; 0 for a task that reads. */
    static long value(SyncEventTask.Kind kind, MemorySegment task) {
        return switch (kind) {
            case GET -> 0;
            case SET -> doca_h.doca_sync_event_task_notify_set_get_set_val(task);
            case ADD -> doca_h.doca_sync_event_task_notify_add_get_inc_val(task);
            case WAIT_EQUAL -> doca_h.doca_sync_event_task_wait_eq_get_wait_val(task);
            case WAIT_NOT_EQUAL -> doca_h.doca_sync_event_task_wait_neq_get_wait_val(task);
        };
    }

    static void setValue(SyncEventTask.Kind kind, MemorySegment task, long value) {
        switch (kind) {
            case GET -> throw new UnsupportedOperationException("A task that reads a sync event has no value to set");
            case SET -> doca_h.doca_sync_event_task_notify_set_set_set_val(task, value);
            case ADD -> doca_h.doca_sync_event_task_notify_add_set_inc_val(task, value);
            case WAIT_EQUAL -> doca_h.doca_sync_event_task_wait_eq_set_wait_val(task, value);
            case WAIT_NOT_EQUAL -> doca_h.doca_sync_event_task_wait_neq_set_wait_val(task, value);
        }
    }

    /** Returns the bits of the counter to compare; all for a task that does not wait. */
    static long mask(SyncEventTask.Kind kind, MemorySegment task) {
        return switch (kind) {
            case GET, SET, ADD -> -1;
            case WAIT_EQUAL -> doca_h.doca_sync_event_task_wait_eq_get_mask(task);
            case WAIT_NOT_EQUAL -> doca_h.doca_sync_event_task_wait_neq_get_mask(task);
        };
    }

    static void setMask(SyncEventTask.Kind kind, MemorySegment task, long mask) {
        switch (kind) {
            case GET, SET, ADD ->
                throw new UnsupportedOperationException(
                        "A task that does not wait for a sync event has no mask to set");
            case WAIT_EQUAL -> doca_h.doca_sync_event_task_wait_eq_set_mask(task, mask);
            case WAIT_NOT_EQUAL -> doca_h.doca_sync_event_task_wait_neq_set_mask(task, mask);
        }
    }
}
