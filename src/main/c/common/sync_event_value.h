/* SPDX-License-Identifier: Apache-2.0 */
/* Updates of the counter. Thread-safe while the event is started. */
#ifndef JUROM_SYNC_EVENT_VALUE_H_
#define JUROM_SYNC_EVENT_VALUE_H_

#include "sync_event.h"

/* Sets the counter, and wakes an engine that sleeps until it changes. */
void sync_event_set(struct doca_sync_event *event, uint64_t value);

/* Adds to the counter likewise, and returns its previous value. */
uint64_t sync_event_add(struct doca_sync_event *event, uint64_t value);

#endif /* JUROM_SYNC_EVENT_VALUE_H_ */
