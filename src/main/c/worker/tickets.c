/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <common/private.h>

#include "worker.h"

static void end(struct worker *worker, unsigned index)
{
    struct tickets *tickets = &worker->tickets;
    struct listener *listener = tickets->at[index].listener;

    tickets->at[index] = tickets->at[--tickets->count];
    explicit_bzero(&tickets->at[tickets->count], sizeof(*tickets->at));
    if (listener != NULL)
        listeners_leave(worker, listener);
}

/* Returns the index of the valid ticket with this id for local or remote use; `count`: none. */
static unsigned find(const struct tickets *tickets, const uint8_t *id, bool local, uint64_t now)
{
    unsigned index = 0;

    while (index < tickets->count
            && ((tickets->at[index].listener == NULL) != local || tickets->at[index].deadline <= now
                    || memcmp(tickets->at[index].secret.id, id, WIRE_TICKET_ID_SIZE) != 0))
        ++index;
    return index;
}

/*
 * Returns the ticket with this id. The service writes a ticket to the worker before it sends it to
 * the host, but the worker may not have read it yet.
 */
static const struct channel_ticket *find_ticket(
        struct worker *worker, const uint8_t *id, bool local)
{
    struct tickets *tickets = &worker->tickets;
    unsigned index = find(tickets, id, local, idle_now_ns());

    if (index == tickets->count) {
        tickets->read_service(worker);
        index = find(tickets, id, local, idle_now_ns());
    }
    return index == tickets->count ? NULL : &tickets->at[index].secret;
}

static const struct channel_ticket *find_local(
        struct channel_authenticator *authenticator, const uint8_t id[WIRE_TICKET_ID_SIZE])
{
    return find_ticket(CONTAINER_OF(authenticator, struct worker, tickets.local), id, true);
}

static const struct channel_ticket *find_remote(
        struct channel_authenticator *authenticator, const uint8_t id[WIRE_TICKET_ID_SIZE])
{
    return find_ticket(CONTAINER_OF(authenticator, struct worker, tickets.remote), id, false);
}

/* Returns whether a ticket that a host has just presented offers UCX. */
static bool offers_ucx(
        struct channel_authenticator *authenticator, const uint8_t id[WIRE_TICKET_ID_SIZE])
{
    struct tickets *tickets = CONTAINER_OF(authenticator, struct tickets, remote);
    unsigned index = find(tickets, id, false, idle_now_ns());

    return index < tickets->count && tickets->at[index].offers_ucx;
}

void tickets_init(struct tickets *tickets, void (*read_service)(struct worker *worker))
{
    tickets->read_service = read_service;
    tickets->count = 0;
    tickets->local.find = find_local;
    tickets->remote.find = find_remote;
    tickets->remote.offers_ucx = offers_ucx;
}

doca_error_t tickets_add(
        struct worker *worker, const struct wire_ticket *frame, struct listener *listener)
{
    struct tickets *tickets = &worker->tickets;
    struct ticket *ticket = &tickets->at[tickets->count];

    if (tickets->count == TICKETS_MAX)
        return DOCA_ERROR_FULL;
    memcpy(ticket->secret.id, frame->ticket, WIRE_TICKET_ID_SIZE);
    memcpy(ticket->secret.key, frame->ticket + WIRE_TICKET_ID_SIZE, WIRE_TICKET_KEY_SIZE);
    ticket->offers_ucx = frame->flags & WIRE_FLAG_OFFERS_UCX;
    ticket->session = frame->session;
    ticket->deadline = idle_now_ns() + (uint64_t)frame->lifetime_ms * 1000000;
    ticket->listener = listener;
    ++tickets->count;
    return DOCA_SUCCESS;
}

bool tickets_use(struct worker *worker, const uint8_t *id, bool local, uint64_t *session)
{
    struct tickets *tickets = &worker->tickets;
    unsigned index = find(tickets, id, local, idle_now_ns());

    if (index == tickets->count)
        return false;
    *session = tickets->at[index].session;
    end(worker, index);
    return true;
}

void tickets_end_session(struct worker *worker, uint64_t session)
{
    for (unsigned index = worker->tickets.count; index > 0; --index) {
        if (worker->tickets.at[index - 1].session == session)
            end(worker, index - 1);
    }
}

void tickets_expire(struct worker *worker, uint64_t now)
{
    for (unsigned index = worker->tickets.count; index > 0; --index) {
        if (worker->tickets.at[index - 1].deadline <= now)
            end(worker, index - 1);
    }
}

uint64_t tickets_deadline(const struct tickets *tickets)
{
    uint64_t first = UINT64_MAX;

    for (unsigned index = 0; index < tickets->count; ++index) {
        if (tickets->at[index].deadline < first)
            first = tickets->at[index].deadline;
    }
    return first;
}
