/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Notifications to hosts. A plugin packs into private memory, from which the channel sends; a
 * message that waits for room keeps its buffer. Notifications for disconnected hosts are dropped.
 */
#ifndef JUROM_NOTIFICATION_H_
#define JUROM_NOTIFICATION_H_

#include <doca_urom_plugin.h>

#include "connection.h"
#include "plugin.h"

struct notification;

/* A pool of buffers for the longest message. */
struct notifications {
    struct notification *free;
    unsigned free_count;
};

/*
 * Sends a plugin's notification if its command is still pending. Called between plugin_enter and
 * plugin_left, because the plugin packs it.
 */
void notifications_send(
        struct worker *worker, struct plugin *plugin, struct urom_worker_notif_desc *desc);

/* Answer a command without its plugin: the first only if it is pending, the second in any case. */
void notifications_answer_pending(
        struct connection *connection, uint64_t request_id, doca_error_t status);
void notifications_answer(struct connection *connection, uint64_t request_id, doca_error_t status);

/* Publishes to hosts all data sent since the last call. */
void notifications_push(struct worker *worker);

/* Frees the messages that wait for a host. Its channel must be closed. */
void notifications_drop(ucs_list_link_t *messages);

/* Frees all buffers of the pool. The worker must not send afterwards. */
void notifications_free(struct worker *worker);

#endif /* JUROM_NOTIFICATION_H_ */
