/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where what one worker process sends to one worker context arrives: a UCP worker of its own. A
 * process that is killed while it writes into another's shared-memory queue blocks that queue for
 * good: so each has a queue to itself. One thread.
 */
#ifndef JUROM_INBOX_H_
#define JUROM_INBOX_H_

#include <stdbool.h>

#include <common/ctx.h>
#include <common/pe.h>
#include <net/net.h>

struct engine;

struct inbox {
    struct net net;
    struct pe_poller poller;
    struct engine *engine;
    const struct doca_ctx *user; /* whom it serves */
    unsigned skips;              /* looks since it was polled */
};

/*
 * An inbox for `user`, which is polled from now on. `net_devices` as for net_open. NULL: there is
 * none, and the log says why.
 */
struct inbox *inbox_acquire(struct engine *engine, const struct doca_ctx *user,
        const char *net_devices);

/*
 * Gives it back; its endpoints must be closed. `clean`: its worker process has said that it sends
 * no more, so that it may serve another. Must not run inside its own progress.
 */
void inbox_release(struct inbox *inbox, bool clean);

/* Frees an inbox that serves nobody; harmless with NULL. */
void inbox_free(struct inbox *inbox);

#endif /* JUROM_INBOX_H_ */
