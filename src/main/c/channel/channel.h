/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A channel: one connection to one peer that carries frames (docs/wire.md) in both directions, in
 * order. Non-blocking. Its interface is the same for all transports:
 *
 *     Unix socket                         host and service on the same machine
 *     rings in shared memory, and socket  host and worker on the same machine
 *     TLS 1.3 over TCP                    host and a service or worker on another machine
 *     UCX, and TLS 1.3 besides            host and a worker on another machine, if both request UCX
 *
 *     OPENING -> OPEN -> ENDED
 *
 * The socket stays open, so that its end shows that the peer has disconnected. The channel ends
 * after it has received all data that the peer had sent. A channel is used by one thread. In a
 * forked child, channels have ended with BAD_STATE and their descriptors are closed; the child can
 * only close them.
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
struct channel_identity; /* a key, its certificate, and the certificates of known services */

/* Admits a host to a worker once. The service issues it to both. */
struct channel_ticket {
    uint8_t id[WIRE_TICKET_ID_SIZE];
    uint8_t key[WIRE_TICKET_KEY_SIZE];
};

/* Receives frames, called inside channel_poll. Embedded in its owner. */
struct channel_receiver {
    /*
     * Called for the prefix of a command or notification of `length` bytes. Returns the destination
     * of the payload (length - WIRE_PREFIX_SIZE bytes, possibly 0), which may arrive over several
     * polls; NULL: the payload is dropped.
     */
    void *(*begin_payload)(struct channel_receiver *receiver,
            const uint8_t prefix[WIRE_PREFIX_SIZE], size_t length);
    /* Called when the payload is complete at its destination. */
    void (*end_payload)(struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE],
            size_t length, void *destination);
    /* Called if the channel ends or is closed before the payload is complete. */
    void (*abandon_payload)(struct channel_receiver *receiver, void *destination);
    /*
     * Called for any other frame, complete but not decoded. Its bytes are valid until this returns.
     */
    void (*receive)(struct channel_receiver *receiver, const uint8_t *frame, size_t length);
};

/* A frame to be sent. Embedded in its owner. */
struct channel_message {
    struct channel_message *next;
    const uint8_t *data;
    size_t length;
    size_t sent; /* number of bytes sent */
    /*
     * Called inside channel_poll, once, when a message that was IN_PROGRESS has been sent: the
     * owner may reuse the bytes. Not called for messages that are unsent when the channel ends;
     * these belong to the owner from then on.
     */
    void (*done)(struct channel_message *message);
};

/* Authenticates hosts for an accepting channel. Embedded in its owner. */
struct channel_authenticator {
    /* Returns the valid ticket with this id, or NULL. The result is valid until the next call. */
    const struct channel_ticket *(*find)(
            struct channel_authenticator *authenticator, const uint8_t id[WIRE_TICKET_ID_SIZE]);
    /* Returns whether the ticket lets its host select UCX. NULL: no ticket does. */
    bool (*offers_ucx)(
            struct channel_authenticator *authenticator, const uint8_t id[WIRE_TICKET_ID_SIZE]);
};

/* The address to connect to. */
struct channel_address {
    bool local;
    char path[sizeof(((struct sockaddr_un *)0)->sun_path)]; /* of the Unix socket, if local */
    pid_t process;                  /* that listens there, if it is known; 0: any */
    struct sockaddr_storage socket; /* otherwise */
    socklen_t socket_length;
    char device[IFNAMSIZ]; /* network device that the socket is bound to; empty: any */
};

/* The transport to a worker on another machine, selected by the host. */
enum channel_data {
    CHANNEL_DATA_TLS,        /* the ticket offers nothing else */
    CHANNEL_DATA_TLS_CHOSEN, /* although the ticket offers UCX */
    CHANNEL_DATA_UCX,        /* which the ticket offers */
};

/* The configuration of a channel. */
struct channel_settings {
    struct channel_receiver *receiver;
    size_t max_message_size; /* of a command or notification, in both directions */
    enum channel_data data;
    bool has_alternative; /* another address follows, so failing to connect is not an error */
    const char *devices;  /* network devices for UCX ("eth0,eth1"), used while opening; NULL: any */
    char *reason;         /* receives the reason if connecting fails immediately; or NULL */
    size_t reason_capacity;
    pid_t service; /* of an accepting side: the process of the service, if it may be the peer; or 0 */
};

/*
 * Connects to the service at `address`: over its Unix socket, whose listener must run as the user
 * of this process or root (NOT_PERMITTED), or by TLS with `identity`, which must outlive the
 * channel. The channel is OPENING. A missing peer is detected here (CONNECTION_ABORTED) or in
 * channel_poll. Errors are logged.
 */
doca_error_t channel_connect_service(const struct channel_address *address,
        const struct channel_identity *identity, const struct channel_settings *settings,
        struct channel **channel);

/* Connects to a worker: by rings if it is local, otherwise by TLS with the ticket's key. */
doca_error_t channel_connect_worker(const struct channel_address *address,
        const struct channel_ticket *ticket, const struct channel_settings *settings,
        struct channel **channel);

/*
 * Creates a channel for `fd`, which a worker has accepted on a Unix socket (`local`) or a TCP
 * socket. Takes ownership of `fd`, also on failure. The channel becomes OPEN if the peer runs as
 * the user of this process (local) and presents a ticket that the authenticator finds.
 */
doca_error_t channel_accept(int fd, bool local, struct channel_authenticator *authenticator,
        const struct channel_settings *settings, struct channel **channel);

/*
 * Returns whether the host at an accepted TCP socket has named a valid ticket in its ClientHello.
 */
bool channel_names_ticket(const struct channel *channel);

/* Returns the id of the ticket with which an accepted channel was opened. */
const uint8_t *channel_ticket_id(const struct channel *channel);

/*
 * Closes and frees the channel immediately. The kernel still sends data that a TLS peer has yet to
 * read; a connection by UCX closes asynchronously (channels_closing). Drops queued messages without
 * calling their `done`. Must not be called from the channel's receiver; use channel_end there.
 */
void channel_close(struct channel *channel);

/*
 * Progresses the UCX connections of this process that are closing, and returns their number. Call
 * it every millisecond until it returns 0. Thread-safe.
 */
unsigned channels_closing(void);

/* Blocks until no connection is closing, for at most 60 ms. */
void channels_finish_closing(void);

/* Ends the channel after a violation by its peer. `reason` is a sentence. */
void channel_end(struct channel *channel, doca_error_t status, const char *reason);

/*
 * Advances the handshake, sends queued messages, and passes at most `frames` received frames to the
 * receiver. With 0 frames, a channel whose peer has disconnected ends without reading the rest.
 * Returns the amount of work done. Must not be called from the channel's receiver.
 */
unsigned channel_poll(struct channel *channel, unsigned frames);

/*
 * Returns SUCCESS (open), IN_PROGRESS (opening) or the error with which the channel has ended,
 * after all data were received; CONNECTION_RESET: the peer has disconnected.
 */
doca_error_t channel_status(const struct channel *channel);

/* Returns whether the peer has disconnected or the channel has ended. Data may be unread. */
bool channel_peer_disconnected(const struct channel *channel);

/* Returns a sentence that explains why the channel has ended. */
const char *channel_reason(const struct channel *channel);

/*
 * Sends a frame of `length` bytes at `data`. SUCCESS: the frame was accepted, and `message` is not
 * used. IN_PROGRESS: the frame is queued; the bytes must not change until `done` is called.
 * Accepted frames are published by channel_push, or earlier.
 */
doca_error_t channel_send(struct channel *channel, const uint8_t *data, size_t length,
        struct channel_message *message);

/*
 * Removes a queued message of which no byte has been sent, without calling its `done`. Returns false
 * if it is not queued, or some of it has been sent.
 */
bool channel_withdraw(struct channel *channel, const struct channel_message *message);

/*
 * Marks the command with this id as cancelled in the memory of the rings, where the peer sees it
 * before it reads later frames. The mark may be replaced by that of another command. No effect on
 * other transports.
 */
void channel_mark_cancelled(struct channel *channel, uint64_t request_id);

/* Returns whether the peer has marked the command with this id as cancelled: one load. */
bool channel_is_cancelled(const struct channel *channel, uint64_t request_id);

/* Encodes, sends and pushes a frame other than a command or notification. Copies it if queued. */
doca_error_t channel_send_frame(struct channel *channel, const struct wire_frame *frame);

/* Publishes all accepted frames to the peer. Cheap if there are none. */
void channel_push(struct channel *channel);

/* Returns the number of bytes in queued messages. */
size_t channel_waiting(const struct channel *channel);

/* Drops the rest of the payload that is being received at `destination`, if it is. */
void channel_drop_payload(struct channel *channel, void *destination);

/* Returns the process of a peer on this machine, or 0. */
pid_t channel_peer(const struct channel *channel);

/* Returns the descriptor to wait for (channel_arm), constant during the life of the channel. */
int channel_descriptor(const struct channel *channel);

/*
 * Prepares for a sleep: after SUCCESS, the descriptor becomes readable when the channel has to be
 * polled, including for messages that are queued later. `reading`: also when data arrive. AGAIN:
 * poll first, with frames if `reading`. Other errors: the channel has ended. The next poll disarms.
 */
doca_error_t channel_arm(struct channel *channel, bool reading);

#ifdef JUROM_FAULTS
/* Returns the connection's socket, for fault points. */
int channel_socket(const struct channel *channel);
#endif

/*
 * Reads a file of mode 0600 (or of root with mode 0440) that contains a private key, its
 * certificate and those of services in PEM. On an error, writes a sentence with the path to
 * `reason`.
 */
doca_error_t channel_identity_read(
        const char *path, struct channel_identity **identity, char *reason, size_t capacity);

/* Frees the identity, which no channel may still use. NULL has no effect. */
void channel_identity_free(struct channel_identity *identity);

#endif /* JUROM_CHANNEL_H_ */
