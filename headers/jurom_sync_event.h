/* SPDX-License-Identifier: Apache-2.0 */
/* What the software DOCA adds to synchronization events. */
#ifndef JUROM_SYNC_EVENT_MEMORY_H_
#define JUROM_SYNC_EVENT_MEMORY_H_

#include <doca_compat.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_sync_event;

/*
 * Ends the use of the application's memory by a started event whose counter is there: the memory is
 * about to be freed, or was. Tasks that wait fail with IO_FAILED; the counter is 0 until the next
 * start. BAD_STATE: the counter is elsewhere. For the thread of its progress engine.
 */
DOCA_EXPERIMENTAL doca_error_t jurom_sync_event_leave_memory(struct doca_sync_event *event);

#ifdef __cplusplus
}
#endif

#endif /* JUROM_SYNC_EVENT_MEMORY_H_ */
