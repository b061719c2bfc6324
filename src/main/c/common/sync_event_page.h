/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the counter of a started sync event. */
#ifndef JUROM_SYNC_EVENT_PAGE_H_
#define JUROM_SYNC_EVENT_PAGE_H_

#include "sync_event.h"

/* Selects the counter's location at a start, after releasing that of the previous start. */
doca_error_t sync_event_open_value(struct doca_sync_event *event);

/*
 * Releases the counter's location, at the next start or at the destruction but not at the stop:
 * tasks in flight and waiting threads use it until they have observed the stop.
 */
void sync_event_close_value(struct doca_sync_event *event);

/*
 * Opens the page at descriptor `page_fd` of `process`. NOT_FOUND: this process cannot open it, or
 * its cookie differs.
 */
doca_error_t sync_event_open_page(struct doca_sync_event *event, uint64_t process, uint32_t page_fd,
        const uint8_t cookie[SYNC_EVENT_COOKIE_SIZE]);

/* Frees the page and the export descriptor. */
void sync_event_free_page(struct doca_sync_event *event);

#endif /* JUROM_SYNC_EVENT_PAGE_H_ */
