/* SPDX-License-Identifier: Apache-2.0 */
/* Extension of sync events in the software DOCA. */
#ifndef JUROM_SYNC_EVENT_MEMORY_H_
#define JUROM_SYNC_EVENT_MEMORY_H_

#include <doca_compat.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_sync_event;

/*
 * Detaches a started event from the application's memory that holds its counter, before or after
 * that memory is freed. Waiting tasks fail with IO_FAILED; the counter reads 0 until the next
 * start. Call it from the thread of the event's progress engine. BAD_STATE: the counter is not in
 * the application's memory.
 */
DOCA_EXPERIMENTAL doca_error_t jurom_sync_event_leave_memory(struct doca_sync_event *event);

#ifdef __cplusplus
}
#endif

#endif /* JUROM_SYNC_EVENT_MEMORY_H_ */
