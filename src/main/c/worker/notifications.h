/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Notifications to hosts. A plugin packs into private memory, from which the channel sends; a
 * message that waits for room keeps its buffer. Notifications for disconnected hosts are dropped.
 */
#ifndef JUROM_NOTIFICATIONS_H_
#define JUROM_NOTIFICATIONS_H_

#include <doca_urom_plugin.h>

#include "connection.h"
#include "plugin.h"

struct notification;
struct worker;

struct notifications {
    struct notification *free; /* a pool of buffers for the longest message */
    unsigned free_count;
    struct connection *unpushed; /* connections with data sent since the last push */
};

/*
 * Sends a plugin's notification if its command is still pending. Called between plugin_enter and
 * plugin_leave, because the plugin packs it.
 */
void notifications_send(
        struct worker *worker, struct plugin *plugin, struct urom_worker_notif_desc *desc);

/* Answers a command without its plugin if it is still pending. */
void notifications_answer_pending(
        struct connection *connection, uint64_t request_id, doca_error_t status);

/*
 * The same with a text that states the cause, without a full stop, for the message of the host's
 * exception.
 */
void notifications_explain_pending(
        struct connection *connection, uint64_t request_id, doca_error_t status, const char *text);

/*
 * Answers a command without its plugin, pending or not. If there is no memory for the answer, ends
 * the connection.
 */
void notifications_answer(struct connection *connection, uint64_t request_id, doca_error_t status);

/* Publishes to hosts all data sent since the last call. */
void notifications_push(struct worker *worker);

/* Removes the connection from those to be pushed. */
void notifications_unqueue(struct connection *connection);

/* Frees the messages that wait for a host. Its channel must be closed. */
void notifications_drop(struct connection *connection);

/* Frees all buffers of the pool. The worker must not send afterwards. */
void notifications_free(struct worker *worker);

#endif /* JUROM_NOTIFICATIONS_H_ */
