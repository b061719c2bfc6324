/* SPDX-License-Identifier: Apache-2.0 */
/* A link: a UCP worker with one endpoint. The functions are those of struct ucx_library. */
#ifndef JUROM_CHANNEL_UCX_LINK_H_
#define JUROM_CHANNEL_UCX_LINK_H_

#include <ucp/api/ucp.h>

#include <channel/ucx.h>

#include "context.h"

struct parcel; /* a message on its way */

/* A piece that has arrived, and is yet to be taken. */
struct ucx_piece {
    struct ucx_piece *next;
    void *held; /* the message, if UCX keeps its memory; else it is in here */
    size_t length;
    size_t capacity; /* of what follows */
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
    struct ucx_piece *spare_piece; /* for the next that is small, or NULL */
    struct parcel *spare_parcel;
    /* Positions: sums of the costs of pieces. */
    uint64_t sent;      /* by this side */
    uint64_t sent_taken; /* ... that the peer says it has taken */
    uint64_t arrived;   /* here */
    uint64_t taken;     /* ... by the owner of the link */
    uint64_t told;      /* ... as the peer knows */
    bool heard;         /* of the peer */
    unsigned posted;    /* messages that UCX has yet to send */
    bool telling;       /* among them is one that only tells what was taken */
    char failure[UCX_WHY_MAX]; /* empty: none */
    /* While it closes (closing.c). */
    struct ucx_link *next;
    ucs_status_ptr_t request; /* of UCX, for the step under way */
    uint64_t deadline;        /* ns, of that step */
    bool flushing;            /* it is the flush, which comes before the close */
};

doca_error_t ucx_link_open(const char *devices, const char *interface, struct ucx_link **link,
        char why[UCX_WHY_MAX]);
const void *ucx_link_address(const struct ucx_link *link, size_t *length);
doca_error_t ucx_link_connect(struct ucx_link *link, const void *address, size_t length,
        char why[UCX_WHY_MAX]);
bool ucx_link_is_up(const struct ucx_link *link);
unsigned ucx_link_progress(struct ucx_link *link);
size_t ucx_link_put(struct ucx_link *link, const uint8_t *data, size_t length);
const uint8_t *ucx_link_look(const struct ucx_link *link, size_t *length);
void ucx_link_take(struct ucx_link *link);
uint64_t ucx_link_sent(const struct ucx_link *link);
uint64_t ucx_link_arrived(const struct ucx_link *link);
int ucx_link_descriptor(const struct ucx_link *link);
bool ucx_link_arm(struct ucx_link *link);
const char *ucx_link_failure(const struct ucx_link *link);
void ucx_link_close(struct ucx_link *link, bool flush);
unsigned ucx_links_closing(void);
void ucx_links_finish(void);

/* pieces.c: tells the peer what was taken, which is nothing at first. */
void ucx_pieces_tell(struct ucx_link *link);

/* Takes what arrives. */
ucs_status_t ucx_pieces_receive(struct ucx_link *link);
void ucx_pieces_free(struct ucx_link *link);
/* Blocks for one message and one piece; freed when nothing is on its way any more. */
bool ucx_spares_make(struct ucx_link *link);
void ucx_spares_free(struct ucx_link *link);

/* failure.c: nothing can be sent any more; the first reason counts. */
void ucx_link_fail(struct ucx_link *link, const char *what, ucs_status_t status);

#endif /* JUROM_CHANNEL_UCX_LINK_H_ */
