/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker process as a whole. One thread runs it all: it takes commands from hosts (receive.c),
 * gives them to plugins and sends their notifications (dispatch.c), and rests when there is nothing
 * to do (rest.c).
 */
#ifndef JUROM_WORKER_PROCESS_H_
#define JUROM_WORKER_PROCESS_H_

#include <stdbool.h>
#include <stdint.h>

#include <common/idle.h>
#include <net/net.h>
#include <wire/wire.h>

#include "connection.h"
#include "domains.h"
#include "plugin.h"

#define PLUGINS_MAX 62

struct notification_buffer;

struct worker {
    uint64_t id;
    uint8_t token[WIRE_TOKEN_SIZE];
    uint32_t max_message_size;
    struct net net;
    struct connections connections;
    struct domains domains;
    struct plugin plugins[PLUGINS_MAX];
    unsigned plugin_count;
    struct plugin *by_bit[64];
    unsigned queued; /* commands that no plugin has taken yet */
    struct notification_buffer *buffers; /* all, be they in use or free */
    struct notification_buffer *free_buffers;

    int epoll_fd;
    struct idle idle;
    uint64_t looked; /* when standard input was looked at, in ns */
    unsigned skips;  /* rounds since the clock was read */
    bool leaving;
};

/* receive.c: takes a message to the worker `owner`. For net_open. */
void receive(void *owner, const uint8_t *data, size_t length);

/* dispatch.c: gives queued commands to their plugins. Returns how many were taken. */
unsigned dispatch_commands(struct worker *worker);

/* dispatch.c: the host has left: drops its queued commands and tells the plugins. */
void dispatch_host_left(struct worker *worker, uint32_t connection);

/* dispatch.c: progresses the plugins and sends what they have to say. Returns how much it was. */
unsigned dispatch_notifications(struct worker *worker);

/* dispatch.c: answers a request without a plugin. */
void dispatch_status(struct worker *worker, struct connection *connection, uint64_t request_id,
        doca_error_t status);

/* dispatch.c: frees all buffers; the worker sends no more. */
void dispatch_free(struct worker *worker);

/* rest.c: the descriptors that wake the worker; call after the plugins are open. */
doca_error_t rest_init(struct worker *worker);

/* rest.c: after a round that found nothing: spins, yields, or sleeps. Sets `leaving`. */
void rest(struct worker *worker);

/* rest.c: after a round that found something. Sets `leaving`. */
void rest_not(struct worker *worker);

#endif /* JUROM_WORKER_PROCESS_H_ */
