/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A deadline of a progress engine. It expires inside a progress call, and wakes an application that
 * sleeps on the notification handle.
 */
#ifndef JUROM_DEADLINE_H_
#define JUROM_DEADLINE_H_

#include <stdbool.h>

#include <common/pe.h>

struct deadline {
    struct pe_poller poller;
    struct doca_pe *pe; /* NULL: not set */
    void (*passed)(struct deadline *deadline);
};

/* Calls `passed` once after `milliseconds` unless cleared before. Replaces an earlier deadline. */
doca_error_t deadline_set(struct deadline *deadline, struct doca_pe *pe, unsigned milliseconds,
        void (*passed)(struct deadline *deadline));

/* No effect if no deadline is set. */
void deadline_clear(struct deadline *deadline);

#endif /* JUROM_DEADLINE_H_ */
