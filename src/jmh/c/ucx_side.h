/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UCX without anything around it: one context, one worker, one endpoint to the other side, and
 * active messages of one size. UCX_TLS chooses the transport.
 */
#ifndef UCX_SIDE_H_
#define UCX_SIDE_H_

#include <stdint.h>
#include <ucp/api/ucp.h>

#include "pair.h"

struct ucx_side {
    ucp_context_h context;
    ucp_worker_h worker;
    ucp_ep_h ep;
    size_t size;        /* bytes of a message */
    void *outgoing;     /* what is sent */
    void *incoming;     /* where messages go that have to be fetched */
    uint64_t received;  /* messages that have arrived */
    unsigned under_way; /* messages that are being sent */
};

/* Opens a context and a worker, as a worker process of UROM does. */
void ucx_open(struct ucx_side *side);

/* Connects to the other side of a pair; messages have `size` bytes. */
void ucx_connect(struct ucx_side *side, const struct pair *pair, size_t size);

/* Sends one message; waits only when too many are under way. */
void ucx_send(struct ucx_side *side);

/* Waits until so many messages have arrived in all. */
void ucx_await(struct ucx_side *side, uint64_t received);

/* Waits until all that was sent has left. */
void ucx_settle(struct ucx_side *side);

void ucx_close(struct ucx_side *side);

#endif /* UCX_SIDE_H_ */
