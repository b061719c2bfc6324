/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The private header of this folder. A link is a UCP worker with one endpoint; it implements the
 * functions of struct ucx_library.
 */
#ifndef JUROM_CHANNEL_UCX_PRIVATE_H_
#define JUROM_CHANNEL_UCX_PRIVATE_H_

#include <ucp/api/ucp.h>

#include <channel/ucx.h>

#include "ucx_context.h"

struct parcel; /* a message being sent */

/* A piece that has arrived and has not been taken. */
struct ucx_piece {
    struct ucx_piece *next;
    void *held; /* the message, if UCX lends its memory; NULL: it was copied to `bytes` */
    size_t length;
    size_t capacity; /* of `bytes` */
    uint8_t bytes[];
};

struct ucx_link {
    struct ucx_context *context;
    ucp_worker_h worker;
    ucp_address_t *address;
    size_t address_length;
    int event_fd;
    ucp_ep_h endpoint; /* NULL: not connected */
    struct ucx_piece *first, **end;
    struct ucx_piece *spare_piece; /* for the next small piece, or NULL */
    struct parcel *spare_parcel;
    /* Positions: sums of the costs of pieces. */
    uint64_t sent;                /* by this side */
    uint64_t sent_taken;          /* ... and taken, as reported by the peer */
    uint64_t arrived;             /* here */
    uint64_t taken;               /* ... by the owner of the link */
    uint64_t told;                /* ... and reported to the peer */
    bool heard;                   /* whether a message of the peer has arrived */
    unsigned posted;              /* messages that UCX has not finished sending */
    bool telling;                 /* one of them only reports the position taken */
    char failure[UCX_REASON_MAX]; /* empty: none */
    /* During a close (closing.c). */
    struct ucx_link *next;
    ucs_status_ptr_t request; /* of the current step */
    uint64_t deadline;        /* of the current step, in ns */
    bool flushing;            /* the current step is the flush that precedes the close */
};

/*
 * ucx_link.c: creates a link with its own UCP worker (see ucx_library.open). On an error, `reason`
 * is a sentence.
 */
doca_error_t ucx_link_open(const char *devices, const char *interface, struct ucx_link **link,
        char reason[UCX_REASON_MAX]);

/* ucx_link.c: returns the address of the link and its length in bytes, valid until the close. */
const void *ucx_link_address(const struct ucx_link *link, size_t *length);

/*
 * ucx_link.c: connects to the peer's address, which must be trusted and is copied. On an error,
 * `reason` is a sentence.
 */
doca_error_t ucx_link_connect(
        struct ucx_link *link, const void *address, size_t length, char reason[UCX_REASON_MAX]);

/*
 * ucx_link.c: returns whether a message of the peer has arrived and UCX has finished sending this
 * side's messages.
 */
bool ucx_link_is_up(const struct ucx_link *link);

/* ucx_link.c: progresses UCX. Returns the amount of work done. */
unsigned ucx_link_progress(struct ucx_link *link);

/* pieces.c: sends the bytes that the window has room for. Returns their number. */
size_t ucx_link_put(struct ucx_link *link, const uint8_t *data, size_t length);

/* pieces.c: returns the next piece that has arrived, valid until ucx_link_take, or NULL. */
const uint8_t *ucx_link_peek(const struct ucx_link *link, size_t *length);

/* pieces.c: drops the next piece, which must exist, and may report the position to the peer. */
void ucx_link_take(struct ucx_link *link);

/* ucx_link.c: returns the total cost of the pieces that this side has sent. */
uint64_t ucx_link_sent(const struct ucx_link *link);

/* ucx_link.c: returns the total cost of the pieces that have arrived. */
uint64_t ucx_link_arrived(const struct ucx_link *link);

/* ucx_link.c: returns the event descriptor, which the link owns. */
int ucx_link_descriptor(const struct ucx_link *link);

/* ucx_link.c: makes the descriptor readable when there is work. Returns false: progress first. */
bool ucx_link_arm(struct ucx_link *link);

/* ucx_link.c: returns why the link has failed, as a sentence, or NULL. */
const char *ucx_link_failure(const struct ucx_link *link);

/*
 * closing.c: closes and frees the link without blocking; ucx_links_closing completes the close.
 * `flush`: tries to send queued data first.
 */
void ucx_link_close(struct ucx_link *link, bool flush);

/* closing.c: progresses the links that are closing, and returns their number. Thread-safe. */
unsigned ucx_links_closing(void);

/* closing.c: blocks until no link is closing, for at most 60 ms. Also runs at process exit. */
void ucx_links_finish(void);

/* pieces.c: reports the position taken to the peer; 0 at first. */
void ucx_pieces_tell(struct ucx_link *link);

/* pieces.c: registers the handler for messages. */
ucs_status_t ucx_pieces_receive(struct ucx_link *link);

/* pieces.c: frees the pieces that have not been taken. */
void ucx_pieces_free(struct ucx_link *link);

/*
 * pieces.c: allocates spare blocks for one message and one piece. Returns false if there is no
 * memory; ucx_spares_free is then still necessary.
 */
bool ucx_spares_make(struct ucx_link *link);

/* pieces.c: frees the spare blocks. No message may be in flight. */
void ucx_spares_free(struct ucx_link *link);

/* pieces.c: marks the link as failed, after which nothing is sent. The first reason is kept. */
void ucx_link_fail(struct ucx_link *link, const char *what, ucs_status_t status);

#endif /* JUROM_CHANNEL_UCX_PRIVATE_H_ */
