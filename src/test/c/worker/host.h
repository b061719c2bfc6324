/* SPDX-License-Identifier: Apache-2.0 */
/* A host that speaks to a worker frame by frame, and keeps all that it is answered. */
#ifndef JUROM_HOST_H_
#define JUROM_HOST_H_

#include <stddef.h>
#include <stdint.h>

#include <net/net.h>
#include <plugins_under_test/puppet.h>

#include "worker_process.h"

#define ANSWERS_MAX 1024
#define ANSWER_MS 20000
#define PLUGINS_LISTED 8

/* One frame that came in. */
struct answer {
    enum wire_type type;
    uint32_t number; /* lower half of the request id */
    uint32_t connection;
    doca_error_t status; /* of a notification */
    size_t length;       /* of its payload */
    uint8_t *payload;
};

/* A plugin as ATTACHED lists it. */
struct attached_plugin {
    uint64_t plugin;
    size_t length;
    char address[64];
};

struct host {
    struct net net;
    struct net_endpoint endpoint;
    uint32_t connection; /* of the last ATTACHED, and its plugins */
    struct attached_plugin plugins[PLUGINS_LISTED];
    unsigned plugin_count;
    struct answer answers[ANSWERS_MAX];
    unsigned count; /* of answers, in the order in which they came */
    unsigned sending;
};

/* Connects to the worker without a word, or leaves it. */
void host_open(struct host *host, const struct worker_process *worker);
void host_close(struct host *host);

/* Sends these bytes, or this frame. */
void host_send(struct host *host, const void *bytes, size_t length);
void host_send_frame(struct host *host, const struct wire_frame *frame);

/* Sends ATTACH with the token, and awaits ATTACHED. */
void host_attach(struct host *host, const uint8_t *token, uint32_t max_tasks);

/* Sends COMMAND `number` with this payload. */
void host_command(struct host *host, uint64_t plugin, uint32_t number, const void *payload,
        size_t length);

/* The same to worker_puppet: what to do, and `text` behind it. */
void host_puppet(struct host *host, uint32_t number, struct puppet_command command,
        const char *text);

/* Progresses until `count` answers are here; fails after ANSWER_MS, or when there are more. */
void host_await(struct host *host, unsigned count);

/* Forgets the answers. */
void host_forget(struct host *host);

/* Progresses until the worker has answered a command that was sent now: nothing else may come. */
void host_expect_nothing(struct host *host);

/* What answer `index` says, as worker_puppet's notification. */
const struct puppet_notification *host_puppet_answer(const struct host *host, unsigned index);

/* Fails unless answer `index` is a notification of command `number` with this status. */
void host_assert_answer(const struct host *host, unsigned index, uint32_t number,
        doca_error_t status);

#endif /* JUROM_HOST_H_ */
