/* SPDX-License-Identifier: Apache-2.0 */
/* A sync event shared by threads of this process. */
#ifndef JUROM_SYNC_EVENT_FIXTURE_H_
#define JUROM_SYNC_EVENT_FIXTURE_H_

#include "memory.h"
#include "progress.h"

#include <doca_sync_event.h>

#define ALL_BITS UINT64_MAX

static struct doca_dev *dev;
static struct doca_sync_event *event;

static inline struct doca_sync_event *make_event(void)
{
    struct doca_sync_event *made;

    assert_ok(doca_sync_event_create(&made));
    assert_ok(doca_sync_event_add_publisher_location_cpu(made, dev));
    assert_ok(doca_sync_event_add_subscriber_location_cpu(made, dev));
    return made;
}

static inline uint64_t value_of(struct doca_sync_event *read)
{
    uint64_t value;

    assert_ok(doca_sync_event_get(read, &value));
    return value;
}

#endif /* JUROM_SYNC_EVENT_FIXTURE_H_ */
