/* SPDX-License-Identifier: Apache-2.0 */
/* A host that speaks to a worker frame by frame, and keeps all that it is answered. */
#ifndef JUROM_HOST_H_
#define JUROM_HOST_H_

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <channel/channel.h>
#include <plugins_under_test/puppet.h>

#include "worker_process.h"

#define ANSWERS_MAX 4096
#define ANSWER_MS 20000
#define PLUGINS_LISTED 8
#define SESSION 1 /* of the service, for whom host_open gets a ticket */

/* One frame that came in. */
struct answer {
    enum wire_type type;
    uint64_t number;     /* the request id */
    doca_error_t status; /* of a notification, or an error */
    size_t length;       /* of its payload */
    uint8_t *payload;
};

/* A plugin as ATTACHED lists it. */
struct attached_plugin {
    uint64_t plugin;
    size_t length;
    char address[64];
};

struct message;

struct host {
    struct channel_receiver receiver;
    struct channel *channel; /* NULL: not connected */
    uint64_t connection;     /* of the last ATTACHED, and its plugins */
    struct attached_plugin plugins[PLUGINS_LISTED];
    unsigned plugin_count;
    struct answer answers[ANSWERS_MAX];
    unsigned count; /* of answers, in the order in which they came */
    unsigned sending;
    struct message *oldest, **newest; /* of those that are being sent */
};

/* Connects with this ticket; whether that works shows later. Nothing is awaited. */
void host_connect(struct host *host, const struct channel_address *address,
        const struct channel_ticket *ticket, size_t max_message_size);

/* Gets a ticket from the worker and connects with it until it is let in. The messages' maximum is
 * that of the worker. */
void host_open(struct host *host, struct worker_process *worker, size_t max_message_size);
void host_open_as(struct host *host, struct worker_process *worker, size_t max_message_size,
        uint64_t session);
void host_close(struct host *host);

/* Kills and reaps a child that plays a host, and makes `*child` -1. No effect if it is that. */
void end_child(pid_t *child);

/* Moves on. */
unsigned host_progress(struct host *host);

/* Waits until it was let in; or until its connection has ended, and whether with this status. */
void host_await_open(struct host *host);
void host_await_end(struct host *host, doca_error_t status);
bool host_has_ended(const struct host *host);

/* Sends these bytes, or this frame. */
void host_send(struct host *host, const void *bytes, size_t length);
void host_send_frame(struct host *host, const struct wire_frame *frame);

/* Sends ATTACH, and awaits ATTACHED. */
void host_attach(struct host *host, uint32_t max_tasks);

/* Sends DETACH, awaits DETACHED, and closes. */
void host_detach(struct host *host);

/* Sends COMMAND `number` with this payload. */
void host_command(
        struct host *host, uint64_t plugin, uint64_t number, const void *payload, size_t length);

/* The same to worker_puppet: what to do, and `text` behind it. */
void host_puppet(
        struct host *host, uint64_t number, struct puppet_command command, const char *text);

/* Progresses until `count` answers are here; fails after ANSWER_MS, or when there are more. */
void host_await(struct host *host, unsigned count);

/* Forgets the answers. */
void host_forget(struct host *host);

/* Progresses until the worker has answered a command that was sent now: nothing else may come. */
void host_expect_nothing(struct host *host);

/* What answer `index` says, as worker_puppet's notification. */
const struct puppet_notification *host_puppet_answer(const struct host *host, unsigned index);

/* Fails unless answer `index` is a notification of command `number` with this status. */
void host_assert_answer(
        const struct host *host, unsigned index, uint64_t number, doca_error_t status);

/* How many commands worker_puppet has been given; asks it. */
uint64_t host_count_given(struct host *host);

#endif /* JUROM_HOST_H_ */
