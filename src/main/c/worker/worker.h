/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker process. One thread runs it in rounds (serve.c): it receives commands from hosts
 * (hosts.c, receive.c), passes them to plugins (dispatch.c), sends their notifications
 * (notification.c), and rests when there is no work (rest.c). Between rounds it handles frames of
 * the service (service.c) and admits hosts with a ticket (tickets.c, listeners.c, strangers.c).
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
    size_t waiting_max;   /* bytes queued for a host above which it is no longer read from */
    unsigned poll_frames; /* commands taken between two checks of `waiting_max` */
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
    struct wire_bytes addresses; /* of the plugins, as ATTACHED carries them; owned */
    unsigned queued;             /* commands that plugins have left for later */
    unsigned closing;            /* closing channels, which still have to be polled */
    unsigned next_plugin;        /* the plugin to progress next */
    struct plugin *unheard;      /* received commands since it was last progressed; or NULL */
    struct blocks blocks;
    struct activity activity;

    int epoll_fd;
    struct idle idle;
    uint64_t looked;  /* time of the last poll of the descriptors, in ns */
    unsigned skips;   /* rounds with work since the last poll of the descriptors */
    bool due;         /* the round ends early, to poll the descriptors */
    unsigned careful; /* remaining turns that take one command at a time */
    bool leaving;
};

/* receive.c: sets the callbacks for frames from hosts. */
void receive_init(struct channel_receiver *receiver);

/* dispatch.c: passes the command to its plugin, after those that the plugin left for later. */
void dispatch_command(struct worker *worker, struct urom_worker_cmd_desc *command);

/* dispatch.c: sends the notifications of the plugin that last received commands. */
void dispatch_hear(struct worker *worker);

/*
 * dispatch.c: passes queued commands to their plugins again, at least one per plugin. Returns the
 * number of commands taken.
 */
unsigned dispatch_commands(struct worker *worker);

/*
 * dispatch.c: progresses the plugins and sends their notifications. If that takes long, the next
 * round continues. Returns 0 if no plugin had work.
 */
unsigned dispatch_notifications(struct worker *worker);

/* dispatch.c: the same for all plugins, however long it takes. */
void dispatch_all_notifications(struct worker *worker);

/* dispatch.c: drops the queued commands of a host that left, and notifies the plugins. */
void dispatch_host_left(struct worker *worker, uint64_t serial);

/* Returns the plugin with this id, or NULL. */
static inline struct plugin *worker_plugin(const struct worker *worker, uint64_t id)
{
    return id == 0 || (id & (id - 1)) != 0 ? NULL : worker->by_bit[__builtin_ctzll(id)];
}

/*
 * hosts.c: runs a round, which serves each active host once. A round that takes long ends early and
 * is continued by the next. Returns 0 if there was nothing to do.
 */
unsigned hosts_serve(struct worker *worker);

/* hosts.c: closes connections whose deadline has passed. */
void hosts_look(struct worker *worker, uint64_t now);

/* hosts.c: sends data queued for hosts, blocking for at most one second. */
void hosts_finish(struct worker *worker);

/* hosts.c: arms all connections before a sleep. Returns false if one has work. */
bool hosts_arm(struct worker *worker);

/* hosts.c: makes all attached connections active again if there are few. */
void hosts_wake_few(struct worker *worker);

/* rest.c: creates the epoll descriptor. Call before rest_watch. */
doca_error_t rest_init(struct worker *worker);

/* rest_watch.c: start and stop watching a descriptor for these events of `source`. */
bool rest_watch(struct worker *worker, int fd, struct source *source, uint32_t events);
void rest_forget(struct worker *worker, int fd);

/*
 * rest_watch.c: returns whether the round has to end, because descriptors and deadlines have not
 * been checked for 3 ms. Call after anything that may take long.
 */
bool rest_is_due(struct worker *worker);

/* rest.c: spins, yields or sleeps after a round without work. */
void rest(struct worker *worker);

/* rest.c: called after a round with work. */
void rest_not(struct worker *worker);

#endif /* JUROM_WORKER_PROCESS_H_ */
