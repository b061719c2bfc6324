/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Passes commands to plugins and collects their notifications. Every command is answered: by its
 * plugin, or by the worker if the plugin returns an error without a notification.
 */
#ifndef JUROM_DISPATCH_H_
#define JUROM_DISPATCH_H_

#include <stdint.h>

#include "plugin.h"

struct worker;

struct dispatch {
    unsigned queued;            /* commands that plugins have left for later */
    unsigned next_plugin;       /* the plugin to progress next */
    struct plugin *uncollected; /* received commands since it was last progressed; or NULL */
    uint64_t held_max;          /* ticks that an answer may wait for those of later commands */
    uint64_t held_since;        /* ticks; 0: the turn has not yet read the clock */
    uint64_t clock;             /* when the clock was last read, in ticks */
    unsigned unchecked;         /* commands to be passed before the clock is read again */
    unsigned one_by_one;        /* commands before which all answers are published */
};

/* Initialises a zeroed dispatch. */
void dispatch_init(struct dispatch *dispatch);

/* Begins the turn of another host. */
static inline void dispatch_begin_turn(struct dispatch *dispatch)
{
    dispatch->held_since = 0;
    dispatch->unchecked = 0;
}

/* Passes the command to its plugin, after those that the plugin left for later. */
void dispatch_command(struct worker *worker, struct urom_worker_cmd_desc *command);

/* Sends the notifications of the plugin that last received commands. */
void dispatch_collect(struct worker *worker);

/*
 * Passes queued commands to their plugins again, at least one per plugin. Returns the number of
 * commands passed.
 */
unsigned dispatch_commands(struct worker *worker);

/*
 * Progresses the plugins and sends their notifications. If that takes long, the next round
 * continues. Returns 0 if no plugin had work.
 */
unsigned dispatch_notifications(struct worker *worker);

/* The same for all plugins, however long it takes. */
void dispatch_all_notifications(struct worker *worker);

/*
 * Removes a queued command, which its plugin has left for later, and frees it. Returns false if it
 * is not queued.
 */
bool dispatch_withdraw(
        struct worker *worker, struct plugin *plugin, uint64_t serial, uint64_t request_id);

/* Answers a command in no list that its plugin must not receive, and frees it. */
void dispatch_reject(
        struct worker *worker, struct urom_worker_cmd_desc *command, doca_error_t status);

/* Drops the queued commands of a host that left, and notifies the plugins. */
void dispatch_host_left(struct worker *worker, uint64_t serial);

#endif /* JUROM_DISPATCH_H_ */
