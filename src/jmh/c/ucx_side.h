/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One side of a UCX connection: one context, one worker, one endpoint, and active messages of one
 * size. UCX_TLS selects the transport.
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
    size_t size;        /* size of a message in bytes */
    void *outgoing;     /* the message to send */
    void *incoming;     /* buffer for rendezvous messages */
    uint64_t received;  /* number of received messages */
    unsigned in_flight; /* number of messages being sent */
};

/* Opens a context and a worker like a worker process of UROM. */
void ucx_open(struct ucx_side *side);

/* Connects to the other process of a pair; messages have `size` bytes. */
void ucx_connect(struct ucx_side *side, const struct pair *pair, size_t size);

/* Sends one message; blocks only if too many are in flight. */
void ucx_send(struct ucx_side *side);

/* Waits until the given total number of messages has been received. */
void ucx_await(struct ucx_side *side, uint64_t received);

/* Waits until all messages have been sent. */
void ucx_settle(struct ucx_side *side);

void ucx_close(struct ucx_side *side);

#endif /* UCX_SIDE_H_ */
