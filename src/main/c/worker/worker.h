/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker process as a whole. One thread runs it all, in rounds (serve.c): it takes commands
 * from hosts (hosts.c, receive.c), gives them to plugins (dispatch.c), sends their notifications
 * (notification.c), and rests when there is nothing to do (rest.c). Between rounds it listens to
 * the service (service.c) and admits hosts that have a ticket (tickets.c, listeners.c, strangers.c).
 */
#ifndef JUROM_WORKER_PROCESS_H_
#define JUROM_WORKER_PROCESS_H_

#include <stdbool.h>
#include <stdint.h>

#include <common/idle.h>
#include <common/private.h>
#include <wire/wire.h>

#include "activity.h"
#include "blocks.h"
#include "connection.h"
#include "domains.h"
#include "listeners.h"
#include "notification.h"
#include "plugin.h"
#include "service.h"
#include "strangers.h"
#include "tickets.h"

#define PLUGINS_MAX 62

struct worker {
    uint64_t id;
    uint32_t max_message_size;
    size_t waiting_max;  /* bytes for a host that does not read, before it is not read either */
    unsigned poll_frames; /* commands that are taken before `waiting_max` is looked at again */
    struct service service;
    struct tickets tickets;
    struct listeners listeners;
    struct strangers strangers;
    struct connections connections;
    struct domains domains;
    struct notifications notifications;
    struct plugin plugins[PLUGINS_MAX];
    unsigned plugin_count;
    struct plugin *by_bit[64];
    struct wire_bytes addresses; /* of the plugins, as ATTACHED carries them; its own */
    unsigned queued; /* commands that no plugin has taken yet */
    unsigned closing; /* connections that have left the table and are still to be polled */
    struct plugin *unheard; /* has been given commands and not been asked since; or NULL */
    struct blocks blocks;
    struct activity activity;

    int epoll_fd;
    struct idle idle;
    uint64_t looked;      /* when the descriptors were polled, in ns */
    unsigned skips;       /* rounds since the clock was read */
    bool due;             /* the round ends early: the descriptors have to be polled */
    unsigned careful;     /* turns left that take one command at a time */
    bool leaving;
};

/* receive.c: what hosts send, for their channels. */
void receive_init(struct channel_receiver *receiver);

/* dispatch.c: gives the command to its plugin, behind those that the plugin has left for later. */
void dispatch_command(struct worker *worker, struct urom_worker_cmd_desc *command);

/* dispatch.c: sends what plugins have to say to the commands that they were given. */
void dispatch_hear(struct worker *worker);

/*
 * dispatch.c: gives plugins again what they have left, each at least one command. Returns how many
 * were taken.
 */
unsigned dispatch_commands(struct worker *worker);

/* dispatch.c: progresses the plugins and sends what they have to say. Returns how much it was. */
unsigned dispatch_notifications(struct worker *worker);

/* dispatch.c: the host has left: drops its queued commands and tells the plugins. */
void dispatch_host_left(struct worker *worker, uint64_t serial);

/* The plugin with this id, or NULL. */
static inline struct plugin *worker_plugin(const struct worker *worker, uint64_t id)
{
    return id == 0 || (id & (id - 1)) != 0 ? NULL : worker->by_bit[__builtin_ctzll(id)];
}

/*
 * hosts.c: a round: each host has a turn. A round that takes long ends early, and the next one
 * continues it. Returns how much was done.
 */
unsigned hosts_serve(struct worker *worker);

/* hosts.c: ends connections whose time is up, or that are over. */
void hosts_look(struct worker *worker, uint64_t now);

/* hosts.c: sends what waits for hosts, for a while. */
void hosts_finish(struct worker *worker);

/* hosts.c: leaves all to their descriptors, for a sleep. False: one of them has something to do. */
bool hosts_arm(struct worker *worker);

/* hosts.c: polls all in each round again, if they are few. */
void hosts_wake_few(struct worker *worker);

/* rest.c: the descriptor that wakes the worker: call before anything is watched. */
doca_error_t rest_init(struct worker *worker);

/* rest_watch.c: has `source` handled when the descriptor has one of these events; no longer. */
bool rest_watch(struct worker *worker, int fd, struct source *source, uint32_t events);
void rest_forget(struct worker *worker, int fd);

/*
 * rest_watch.c: whether the service's pipe, the listeners and the deadlines have waited for some
 * ms, so that the round is to end. For use after anything that may take long.
 */
bool rest_is_due(struct worker *worker);

/* rest.c: after a round that found nothing: spins, yields, or sleeps. */
void rest(struct worker *worker);

/* rest.c: after a round that found something. */
void rest_not(struct worker *worker);

#endif /* JUROM_WORKER_PROCESS_H_ */
