/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Notifications on their way to hosts. A plugin packs into private memory, from where the channel
 * takes them; what must wait for room keeps its memory. A host that has gone is told nothing.
 */
#ifndef JUROM_NOTIFICATION_H_
#define JUROM_NOTIFICATION_H_

#include <doca_urom_plugin.h>

#include "connection.h"
#include "plugin.h"

struct notification;

/* Buffers for the longest message, to be used again. */
struct notifications {
    struct notification *free;
    unsigned free_count;
};

/*
 * Sends what a plugin has to say, if it answers a command that has not been answered. The plugin
 * has been entered, to pack it.
 */
void notifications_send(struct worker *worker, struct plugin *plugin,
        struct urom_worker_notif_desc *desc);

/* Answers a command without a plugin: one that is pending, if it still is; and any other. */
void notifications_answer_pending(struct connection *connection, uint64_t request_id,
        doca_error_t status);
void notifications_answer(struct connection *connection, uint64_t request_id,
        doca_error_t status);

/* Has hosts see all that was sent since the last time. */
void notifications_push(struct worker *worker);

/* Frees what waits for a host; the channel has given it up. */
void notifications_drop(ucs_list_link_t *messages);

/* Frees all buffers; the worker sends no more. */
void notifications_free(struct worker *worker);

#endif /* JUROM_NOTIFICATION_H_ */
