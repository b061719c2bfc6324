/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making a UCP worker takes about a millisecond and some descriptors: an engine keeps one that was
 * given back clean, so that connecting again and again makes none.
 */
#include <stdlib.h>

#include <common/private.h>

#include "engine.h"
#include "inbox.h"

/* Looks between two polls while no command is in flight: what else arrives is in no hurry. */
#define QUIET_SKIPS 16

static bool is_quiet(const struct inbox *inbox)
{
    return inbox->user->state == DOCA_CTX_STATE_RUNNING && inbox->user->inflight == 0;
}

static unsigned poll_inbox(struct pe_poller *poller)
{
    struct inbox *inbox = CONTAINER_OF(poller, struct inbox, poller);

    if (is_quiet(inbox) && ++inbox->skips < QUIET_SKIPS)
        return 0;
    inbox->skips = 0;
    return net_progress(&inbox->net);
}

static doca_error_t arm_inbox(struct pe_poller *poller)
{
    struct inbox *inbox = CONTAINER_OF(poller, struct inbox, poller);

    inbox->skips = QUIET_SKIPS; /* somebody sleeps: look at once afterwards */
    return net_arm(&inbox->net);
}

static struct inbox *make(struct engine *engine, const char *net_devices)
{
    struct inbox *inbox = calloc(1, sizeof(*inbox));

    if (inbox == NULL)
        return NULL;
    if (net_open(&inbox->net, NET_DATA, engine_receive, engine, net_devices) != DOCA_SUCCESS) {
        free(inbox);
        return NULL;
    }
    inbox->engine = engine;
    inbox->poller = (struct pe_poller){
        .poll = poll_inbox,
        .arm = arm_inbox,
        .fd = inbox->net.event_fd,
    };
    return inbox;
}

void inbox_free(struct inbox *inbox)
{
    if (inbox == NULL)
        return;
    net_close(&inbox->net);
    free(inbox);
}

struct inbox *inbox_acquire(struct engine *engine, const struct doca_ctx *user,
        const char *net_devices)
{
    struct inbox *inbox = engine->spare;

    engine->spare = NULL;
    if (inbox == NULL)
        inbox = make(engine, net_devices);
    if (inbox == NULL)
        return NULL;

    inbox->user = user;
    if (priv_doca_pe_add_poller(engine->pe, &inbox->poller) != DOCA_SUCCESS) {
        inbox_free(inbox);
        return NULL;
    }
    return inbox;
}

void inbox_release(struct inbox *inbox, bool clean)
{
    struct engine *engine = inbox->engine;

    priv_doca_pe_remove_poller(engine->pe, &inbox->poller);
    inbox->user = NULL;
    if (clean && engine->spare == NULL)
        engine->spare = inbox;
    else
        inbox_free(inbox);
}
