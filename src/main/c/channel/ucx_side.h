/* SPDX-License-Identifier: Apache-2.0 */
/* This side of a channel over UCX, from the exchange of addresses on. */
#ifndef JUROM_CHANNEL_UCX_SIDE_H_
#define JUROM_CHANNEL_UCX_SIDE_H_

#include "inner.h"
#include "ucx.h"

#define FAREWELL_SIZE 8

struct ucx_side {
    const struct ucx_library *library; /* NULL: not loaded so far */
    struct ucx_link *link;             /* NULL: none so far */
    uint8_t *outgoing;                 /* while it opens: the greeting, and what of it has left */
    size_t outgoing_length, outgoing_sent;
    uint8_t head[4]; /* of the peer's greeting */
    uint8_t *incoming;
    size_t incoming_length, incoming_got; /* head included */
    uint8_t farewell[FAREWELL_SIZE];      /* of the peer: up to where it sent */
    size_t farewell_got;
    uint64_t heard_at;  /* ns, when something last came from a peer that has gone */
    uint64_t looked_at; /* ns, when the socket was looked at */
    unsigned empty;     /* looks since the clock was read */
    bool connected;     /* by the address of the peer */
    bool armed;
};

/* opening_ucx.c: the handshake is over, and the ticket leaves the choice to the host. */
void opening_choose_data(struct channel *channel);

/* carrier_ucx.c: the link is up. */
void ucx_open(struct channel *channel);
/* Reads the peer's farewell, and whether it has gone. */
void ucx_read_socket(struct channel *channel);
/* Frees the side, and its link. */
void ucx_side_free(struct channel *channel, bool flush);

#endif /* JUROM_CHANNEL_UCX_SIDE_H_ */
