/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A channel: one connection to one peer that carries frames (docs/wire.md) both ways, in order.
 * Never blocks. Whoever uses one does not know what carries it:
 *
 *     a Unix socket                         a host and the service of its machine
 *     rings in shared memory, and a socket  a host and a worker of its machine
 *     TLS 1.3 over TCP                      a host and a service or worker elsewhere
 *     UCX, and TLS 1.3 beside it            a host and a worker elsewhere, where both want it
 *
 *     OPENING -> OPEN -> ENDED
 *
 * The socket stays open: its end is the peer's end. What the peer had sent before is still
 * received; only then does the channel end. One thread a channel. In a process that was forked off,
 * channels have ended with BAD_STATE and their descriptors are closed; there they are only good to
 * be closed.
 */
#ifndef JUROM_CHANNEL_H_
#define JUROM_CHANNEL_H_

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <doca_error.h>
#include <wire/wire.h>

struct channel;
struct channel_identity; /* a key, its certificate, and those of the services that it knows */

/* What admits a host to a worker, once: the service gives it to both. */
struct channel_ticket {
    uint8_t id[WIRE_TICKET_ID_SIZE];
    uint8_t key[WIRE_TICKET_KEY_SIZE];
};

/* Whom a channel tells what it receives, inside channel_poll. Embedded in its owner. */
struct channel_receiver {
    /*
     * A command or notification of `length` bytes begins with this prefix. Gives where the payload
     * (length - WIRE_PREFIX_SIZE bytes, perhaps none) is to be put, perhaps over several polls, or
     * NULL: it is dropped.
     */
    void *(*place)(struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE],
            size_t length);
    /* The payload is in its place. */
    void (*placed)(struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE],
            size_t length, void *place);
    /* The channel is closed, or has ended, before the payload was there. Also in channel_close. */
    void (*abandoned)(struct channel_receiver *receiver, void *place);
    /* Any other frame, whole but not decoded; its bytes are valid until this returns. */
    void (*receive)(struct channel_receiver *receiver, const uint8_t *frame, size_t length);
};

/* A frame that is to be sent. Embedded in its owner. */
struct channel_message {
    struct channel_message *next;
    const uint8_t *data;
    size_t length;
    size_t sent; /* bytes that have left */
    /*
     * The bytes are the owner's again; called inside channel_poll, once, for what was IN_PROGRESS.
     * Not called for what has not left when the channel ends: that is the owner's from then on.
     */
    void (*done)(struct channel_message *message);
};

/* Whom an accepting channel asks about a ticket. Embedded in its owner. */
struct channel_doorman {
    /* The open ticket with this id, or NULL. Valid until the next call. */
    const struct channel_ticket *(*find)(
            struct channel_doorman *doorman, const uint8_t id[WIRE_TICKET_ID_SIZE]);
    /* Whether that ticket lets its host choose UCX; NULL: none does. */
    bool (*offers_ucx)(struct channel_doorman *doorman, const uint8_t id[WIRE_TICKET_ID_SIZE]);
};

/* Where to connect to. */
struct channel_address {
    bool local;
    char path[sizeof(((struct sockaddr_un *)0)->sun_path)]; /* local: of the Unix socket */
    struct sockaddr_storage socket;                         /* else */
    socklen_t socket_length;
    char device[IFNAMSIZ]; /* network device that the socket is bound to; empty: any */
};

/* What carries the frames to a worker elsewhere: for the host to say, who has its ticket. */
enum channel_data {
    CHANNEL_DATA_TLS,        /* there is no choice */
    CHANNEL_DATA_TLS_CHOSEN, /* though the ticket offers UCX */
    CHANNEL_DATA_UCX,        /* which the ticket offers */
};

/* What a channel is like. */
struct channel_settings {
    struct channel_receiver *receiver;
    size_t max_message_size; /* of a command or notification, in both directions */
    enum channel_data data;
    bool has_alternative; /* another address follows: not to reach this one is no error */
    const char *devices;  /* that UCX is to use ("eth0,eth1"), while it opens; NULL: any */
    char *why;            /* takes the reason if connecting fails at once; NULL: nothing */
    size_t why_capacity;
};

/*
 * Connects to the service at `address`: over its Unix socket, whose listener must be this process's
 * own user or root (NOT_PERMITTED), or by TLS with `identity`, which must outlive the channel. The
 * channel is OPENING; a peer that is not there is noticed here (CONNECTION_ABORTED) or in
 * channel_poll. Errors are logged.
 */
doca_error_t channel_connect_service(const struct channel_address *address,
        const struct channel_identity *identity, const struct channel_settings *settings,
        struct channel **channel);

/* Connects to a worker: through rings when it is local, by TLS with the ticket's key otherwise. */
doca_error_t channel_connect_worker(const struct channel_address *address,
        const struct channel_ticket *ticket, const struct channel_settings *settings,
        struct channel **channel);

/*
 * Takes over `fd`, which a worker has accepted on a Unix socket (`local`) or a TCP socket, also
 * when it fails. The peer must be of this process's own user, and show a ticket that the doorman
 * knows; then the channel is OPEN, and channel_ticket says which it was.
 */
doca_error_t channel_accept(int fd, bool local, struct channel_doorman *doorman,
        const struct channel_settings *settings, struct channel **channel);

/* Whether the host at an accepted TCP socket has named a ticket that is open, in its ClientHello. */
bool channel_names_ticket(const struct channel *channel);

/* The id of the ticket that an accepted channel was opened with. */
const uint8_t *channel_ticket_id(const struct channel *channel);

/*
 * Closes and frees the channel at once, but for what a TLS peer has yet to read, which the kernel
 * sends on, and for a connection by UCX (channels_closing). Drops messages that wait: their `done`
 * is not called. Not from inside its own receiver: use channel_end there.
 */
void channel_close(struct channel *channel);

/*
 * Progresses the connections by UCX that channel_close has left closing, in any thread of the
 * process, and returns their number. Until it returns 0 it is to be called every millisecond.
 */
unsigned channels_closing(void);

/* Waits until no connection is closing, for 60 ms at most. */
void channels_finish_closing(void);

/* Ends the channel, because its peer is not to be talked to any more; `why` is a sentence. */
void channel_end(struct channel *channel, doca_error_t status, const char *why);

/*
 * Moves on: the handshake, what waits to be sent, what has arrived. Hands at most `frames` frames
 * to the receiver; with 0, a channel whose peer is seen to have gone ends, whatever is unread.
 * Returns how much was done, 0 for nothing. Not from inside its receiver.
 */
unsigned channel_poll(struct channel *channel, unsigned frames);

/*
 * SUCCESS: open. IN_PROGRESS: opening. Else: why it has ended, all that arrived having been
 * received: CONNECTION_RESET when the peer has gone.
 */
doca_error_t channel_status(const struct channel *channel);

/* Whether the peer has gone, though what it had sent may still be received; or it has ended. */
bool channel_peer_has_gone(const struct channel *channel);

/* Why it has ended, in a sentence. */
const char *channel_why(const struct channel *channel);

/*
 * Sends a frame of `length` bytes from `data`. SUCCESS: it was taken, `message` is not used.
 * IN_PROGRESS: it waits for room, in order; the bytes must stay as they are until it is `done`.
 * What was taken leaves with channel_push, or earlier.
 */
doca_error_t channel_send(struct channel *channel, const uint8_t *data, size_t length,
        struct channel_message *message);

/* Encodes and sends any frame but a command or notification, and pushes. Copies what must wait. */
doca_error_t channel_send_frame(struct channel *channel, const struct wire_frame *frame);

/* Has the peer see all that was taken. Cheap when there is nothing new. */
void channel_push(struct channel *channel);

/* Bytes of messages that wait for room. */
size_t channel_waiting(const struct channel *channel);

/* The rest of the frame under way goes nowhere: its place is the owner's again. */
void channel_drop_place(struct channel *channel, void *place);

/*
 * A descriptor that becomes readable when there is something to do, once channel_arm has answered
 * SUCCESS; AGAIN: poll first, with frames if `reading`; else: why it has ended. Constant while the
 * channel lives. `reading`: also for what arrives; a reader that does not want more leaves it out.
 * What is sent after that and has to wait wakes, too. The next poll ends it: arm again before
 * sleeping.
 */
int channel_descriptor(const struct channel *channel);
doca_error_t channel_arm(struct channel *channel, bool reading);

#ifdef JUROM_FAULTS
/* The connection's socket, for the points where it may break. */
int channel_socket(const struct channel *channel);
#endif

/*
 * Reads a file of mode 0600 (or root's own of 0440) that holds a private key, its certificate and
 * those of services (PEM). On an error, `why` has a sentence with the path.
 */
doca_error_t channel_identity_read(
        const char *path, struct channel_identity **identity, char *why, size_t capacity);
void channel_identity_free(struct channel_identity *identity);

#endif /* JUROM_CHANNEL_H_ */
