/* SPDX-License-Identifier: Apache-2.0 */
/* A host that sends single frames to a worker, and records all answers. */
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
#define SESSION 1 /* session of the ticket that host_open requests */

/* A received frame. */
struct answer {
    enum wire_type type;
    uint64_t number;     /* the request id */
    doca_error_t status; /* of a notification, or an error */
    size_t length;       /* of its payload */
    uint8_t *payload;
};

/* A plugin as listed by ATTACHED. */
struct attached_plugin {
    uint64_t plugin;
    size_t length;
    char address[64];
};

struct message;

struct host {
    struct channel_receiver receiver;
    struct channel *channel; /* NULL: not connected */
    uint64_t connection;     /* of the last ATTACHED, its clock, and its plugins */
    uint64_t clock;
    struct attached_plugin plugins[PLUGINS_LISTED];
    unsigned plugin_count;
    struct answer answers[ANSWERS_MAX];
    unsigned count; /* answers, in the order of their arrival */
    unsigned sending;
    struct message *oldest, **newest; /* messages that are being sent */
};

/* Starts a connection with this ticket. Does not wait for its completion. */
void host_connect(struct host *host, const struct channel_address *address,
        const struct channel_ticket *ticket, size_t max_message_size);

/*
 * Requests a ticket from the worker, and waits until the connection is open. The maximum message
 * size is that of the worker.
 */
void host_open(struct host *host, struct worker_process *worker, size_t max_message_size);
void host_open_as(struct host *host, struct worker_process *worker, size_t max_message_size,
        uint64_t session);
void host_close(struct host *host);

/* Kills and reaps a child process, and sets `*child` to -1. No effect if it is -1. */
void end_child(pid_t *child);

/* Polls the channel. */
unsigned host_progress(struct host *host);

/* Wait until the connection is open, or until it has ended with this status. */
void host_await_open(struct host *host);
void host_await_end(struct host *host, doca_error_t status);
bool host_has_ended(const struct host *host);

/* Send these bytes, or this frame. */
void host_send(struct host *host, const void *bytes, size_t length);
void host_send_frame(struct host *host, const struct wire_frame *frame);

/* Sends ATTACH, and waits for ATTACHED. */
void host_attach(struct host *host, uint32_t max_tasks);

/* Sends DETACH, waits for DETACHED, and closes the channel. */
void host_detach(struct host *host);

/* Sends COMMAND `number` with this payload. */
void host_command(
        struct host *host, uint64_t plugin, uint64_t number, const void *payload, size_t length);

/* Sends a command to worker_puppet: an instruction followed by `text`. */
void host_puppet(
        struct host *host, uint64_t number, struct puppet_command command, const char *text);

/* The same with COMMAND_UNTIL. */
void host_puppet_until(
        struct host *host, uint64_t number, struct puppet_command command, uint64_t deadline);

/* Sends CANCEL, after a mark in the memory of the rings if there are any. */
void host_cancel(struct host *host, uint64_t number);

/* Progresses until `count` answers have arrived. Fails after ANSWER_MS, or if there are more. */
void host_await(struct host *host, unsigned count);

/* Removes the recorded answers. */
void host_forget(struct host *host);

/* Sends a command and progresses until it is answered. No other answer may arrive. */
void host_expect_nothing(struct host *host);

/* Returns answer `index` as a notification of worker_puppet. */
const struct puppet_notification *host_puppet_answer(const struct host *host, unsigned index);

/* Fails unless answer `index` is a notification of command `number` with this status. */
void host_assert_answer(
        const struct host *host, unsigned index, uint64_t number, doca_error_t status);

/* Queries the number of commands that worker_puppet has received. */
uint64_t host_count_given(struct host *host);

#endif /* JUROM_HOST_H_ */
