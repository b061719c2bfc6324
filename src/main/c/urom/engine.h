/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all UROM contexts of one progress engine share: the UCX worker for sessions with services,
 * and the requests that are under way. Attached to the progress engine at first use and destroyed
 * with it. One thread.
 */
#ifndef JUROM_ENGINE_H_
#define JUROM_ENGINE_H_

#include <stdbool.h>
#include <stdint.h>

#include <common/pe.h>
#include <net/net.h>

#include "requests.h"

struct inbox;
struct session;

struct engine {
    struct pe_attachment attachment;
    struct doca_pe *pe;
    struct requests requests;

    struct inbox *spare;     /* that serves nobody at the moment, or NULL */
    size_t max_message_size; /* largest of its services: what a notification may measure */

    struct net control;
    struct pe_poller control_poller;
    bool has_control;
    bool polling_control;      /* a session must not be closed now */
    bool control_due;          /* somebody slept: poll it at once */
    unsigned control_waiters;  /* contexts that start or stop: poll it always */
    unsigned control_skips;    /* polls since the clock was read */
    uint64_t control_polled;   /* when, in ns */
    struct session *sessions;
};

/* The engine of `pe`, made when it is not there yet. */
doca_error_t engine_of(struct doca_pe *pe, struct engine **engine);

/* Gives a message from a peer to the request of the engine (`owner`) that it answers. */
void engine_receive(void *owner, const uint8_t *data, size_t length);

/* Opens the control side if it is not. */
doca_error_t engine_open_control(struct engine *engine);

/* Polls the control side now; returns how much was found. For those who have to wait. */
unsigned engine_poll_control(struct engine *engine);

/* While there are waiters, every progress call polls the control side. */
static inline void engine_wait_control(struct engine *engine)
{
    ++engine->control_waiters;
}

static inline void engine_unwait_control(struct engine *engine)
{
    --engine->control_waiters;
}

#endif /* JUROM_ENGINE_H_ */
