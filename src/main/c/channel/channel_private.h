/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The private header of this folder. A channel has one transport at a time: first those of its
 * handshake, each of which replaces itself by the next, and finally rings, a stream or UCX.
 */
#ifndef JUROM_CHANNEL_PRIVATE_H_
#define JUROM_CHANNEL_PRIVATE_H_

#include "channel.h"
#include "ring_memory.h"
#include "tls.h"
#include "ucx.h"
#include "watch.h"

#define CHANNEL_REASON_MAX 320
#define FAREWELL_SIZE 8

/* All functions except `close` are called only for channels that have not ended. */
struct transport {
    /* As channel_poll. */
    unsigned (*poll)(struct channel *channel, unsigned frames);
    /* Sends as much of the rest of a frame as there is room for. Returns the number of bytes. */
    size_t (*put)(struct channel *channel, const uint8_t *data, size_t length);
    void (*push)(struct channel *channel);
    /* Prepares for a sleep. Returns false if the channel has to be polled first. */
    bool (*arm)(struct channel *channel, bool reading);
    /* Frees the resources of the transport, except the descriptors. */
    void (*close)(struct channel *channel);
};

/* Messages that wait for room. */
struct channel_queue {
    struct channel_message *first;
    struct channel_message **end;
    size_t bytes;
};

/* The frame that is being received. */
struct inbound {
    uint8_t prefix[WIRE_PREFIX_SIZE];
    size_t length;     /* of the whole frame; 0: none */
    size_t got;        /* bytes received so far */
    uint8_t *next;     /* destination of the next bytes; NULL: they are dropped */
    void *destination; /* of the payload, from the receiver; NULL: none, or another frame */
    uint8_t *buffer;   /* of other frames */
    size_t buffer_size;
};

/* The state of the handshake. */
struct handshake {
    struct channel_address address;
    bool to_service;
    const struct channel_identity *identity;
    struct channel_authenticator *authenticator; /* NULL: this side connects */
    struct channel_ticket ticket;                /* the key is wiped when the channel is open */
    const struct tls_library *tls;               /* NULL: not loaded yet */
    struct tls_session *session; /* during the TLS handshake; with UCX, while the channel exists */
    bool ticket_named;           /* an accepted host has named a valid ticket */
    size_t got;                  /* received bytes of a ticket */
    uint64_t next_try;           /* ns */
    bool connecting;             /* over TCP */
    unsigned attempts;           /* to connect over TCP */
};

/* A channel over rings. */
struct ring_link {
    struct ring_memory memory;
    struct ring_producer out;
    struct ring_consumer in;
    unsigned empty;      /* empty polls since the clock was last read */
    uint64_t checked_at; /* ns, when the socket was last checked */
    bool armed;
    bool doorbell_due; /* the kernel had no memory for a doorbell */
};

struct stream; /* a channel over a stream of bytes: transport_stream.c */

/* A channel over UCX, from the exchange of addresses on. */
struct ucx_side {
    const struct ucx_library *library; /* NULL: not loaded yet */
    struct ucx_link *link;             /* NULL: not open yet */
    uint8_t *outgoing;                 /* this side's greeting */
    size_t outgoing_length, outgoing_sent;
    uint8_t head[4]; /* of the peer's greeting */
    uint8_t *incoming;
    size_t incoming_length, incoming_got; /* including the head */
    uint8_t farewell[FAREWELL_SIZE];      /* of the peer: the final position that it has sent */
    size_t farewell_got;
    uint64_t heard_at;   /* ns, when data last arrived from a disconnected peer */
    uint64_t checked_at; /* ns, when the socket was last checked */
    unsigned empty;      /* empty polls since the clock was last read */
    bool connected;      /* to the address of the peer */
    bool armed;
};

struct channel {
    const struct transport *transport;
    struct channel_settings settings;
    doca_error_t status;
    bool peer_disconnected; /* data that it had sent may be unread */
    bool forked;            /* in a forked child: must not touch the parent's resources */
    struct channel_queue queue;
    struct inbound inbound;
    struct ring_link ring;
    struct stream *stream;
    struct ucx_side *ucx;
    struct watch watch;
    struct handshake handshake;
    struct channel *previous, *next; /* all channels of this process */
    char reason[CHANNEL_REASON_MAX];
};

/* Transports of the handshake, and the final ones that are set in other files. */
extern const struct transport transport_connecting_local, transport_awaiting_rings,
        transport_awaiting_ticket, transport_ring, transport_connecting_remote,
        transport_tls_handshake, transport_stream;

/* Returns whether the channel has ended. */
static inline bool has_ended(const struct channel *channel)
{
    return channel->status != DOCA_SUCCESS && channel->status != DOCA_ERROR_IN_PROGRESS;
}

/*
 * channel.c: creates a channel without transport for the socket `fd`. Takes ownership of `fd`, also
 * on failure.
 */
doca_error_t channel_new(int fd, const struct channel_settings *settings, struct channel **channel);

/* channel.c: completes the handshake. */
void channel_opened(struct channel *channel, const struct transport *transport);

/* channel.c: sends queued messages while there is room. Returns the number of messages advanced. */
unsigned channel_flush(struct channel *channel);

/* channel.c: `put` of handshake transports, which send no frames; always returns 0. */
size_t handshake_put(struct channel *channel, const uint8_t *data, size_t length);

/* channel.c: `push` or `close` of transports that have nothing to publish or free. */
void handshake_nothing(struct channel *channel);

/* channel.c: `arm` of handshake transports that only the watch wakes; always returns true. */
bool handshake_arm(struct channel *channel, bool reading);

/* channel_status.c: as channel_end. */
void channel_end_because(struct channel *channel, doca_error_t status, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

/* channel_status.c: ends the channel after all data of a disconnected peer were received. */
void channel_end_of_peer(struct channel *channel);

/* channel_fork.c: adds a channel whose descriptors are closed in forked children. Thread-safe. */
void channel_fork_add(struct channel *channel);

/* channel_fork.c: removes the channel. Thread-safe; no effect in a forked child. */
void channel_fork_remove(struct channel *channel);

/*
 * inbound.c: receives the next `length` bytes of a frame, and no bytes after it. Returns false if
 * the channel has ended.
 */
bool inbound_take(struct channel *channel, const uint8_t *bytes, size_t length);

/* inbound.c: the same for bytes that were written to inbound.next. */
bool inbound_advance(struct channel *channel, size_t length);

/* Returns the number of missing bytes of the frame that is being received. */
static inline size_t inbound_missing(const struct inbound *inbound)
{
    return inbound->length - inbound->got;
}

/* inbound.c: returns the destination of an incomplete payload to the receiver. */
void inbound_abandon(struct channel *channel);

/* inbound.c: frees the buffer for frames other than commands and notifications. */
void inbound_free(struct inbound *inbound);

/* channel_identity.c: returns the TLS library's object for the identity. */
const struct tls_identity *identity_inside(const struct channel_identity *identity);

/* handshake_remote.c: begins the handshake of an accepted TCP socket. */
doca_error_t handshake_accept_remote(struct channel *channel);

/*
 * handshake_ucx.c: continues after the TLS handshake with a ticket that lets the host select UCX.
 */
void handshake_choose_transport(struct channel *channel);

/* transport_ring.c: opens the channel. This side produces to the ring with the number `ours`. */
doca_error_t ring_link_open(struct channel *channel, unsigned ours);

/* transport_ring.c: returns the capacity in bytes of a ring for messages of this maximum size. */
size_t ring_capacity_for(size_t max_message_size);

/* transport_stream.c: opens the channel over `session`, or over the socket itself (NULL). */
doca_error_t stream_open(struct channel *channel, struct tls_session *session);

/* transport_ucx.c: opens the channel over its connected link. */
void ucx_side_open(struct channel *channel);

/* transport_ucx.c: reads the peer's farewell and detects its disconnection. */
void ucx_side_read_socket(struct channel *channel);

/* transport_ucx.c: frees the side and its link; `flush`: sends queued data first. */
void ucx_side_free(struct channel *channel, bool flush);

#endif /* JUROM_CHANNEL_PRIVATE_H_ */
