/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sending and receiving pieces. A message consists of the position up to which its sender has taken
 * received pieces (u64, little-endian), and a piece, which is empty if the message only reports the
 * position.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wire/bytes.h>

#include "channel_ucx_private.h"

#define MESSAGE_ID 1
#define HEAD 8
#define TELL_AFTER (UCX_WINDOW / 4)
#define SMALL 1024 /* bytes of a spare block */

/* A message being sent. */
struct parcel {
    struct ucx_link *link;
    bool tells; /* it only reports the position taken */
    size_t capacity;
    uint8_t bytes[];
};

void ucx_link_fail(struct ucx_link *link, const char *what, ucs_status_t status)
{
    if (link->failure[0] == '\0')
        snprintf(link->failure, sizeof(link->failure), "%s: %s.", what, ucs_status_string(status));
}

static struct parcel *make_parcel(struct ucx_link *link, size_t length)
{
    struct parcel *parcel = link->spare_parcel;

    if (parcel != NULL && length <= SMALL) {
        link->spare_parcel = NULL;
        return parcel;
    }
    parcel = malloc(sizeof(*parcel) + length);
    if (parcel != NULL)
        parcel->capacity = length;
    return parcel;
}

static void free_parcel(struct parcel *parcel)
{
    struct ucx_link *link = parcel->link;

    if (parcel->capacity == SMALL && link->spare_parcel == NULL)
        link->spare_parcel = parcel;
    else
        free(parcel);
}

static void sent(void *request, ucs_status_t status, void *user_data)
{
    struct parcel *parcel = user_data;
    struct ucx_link *link = parcel->link;

    ucp_request_free(request);
    --link->posted;
    if (parcel->tells)
        link->telling = false;
    free_parcel(parcel);
    if (status != UCS_OK)
        ucx_link_fail(link, "UCX could not send", status);
}

/* Sends eagerly: with rendezvous, the peer would read this process's memory. */
static bool post(struct ucx_link *link, const uint8_t *data, size_t length)
{
    struct parcel *parcel = make_parcel(link, HEAD + length);
    ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA
                | UCP_OP_ATTR_FIELD_FLAGS,
        .flags = UCP_AM_SEND_FLAG_EAGER,
        .cb.send = sent,
        .user_data = parcel,
    };
    ucs_status_ptr_t request;

    if (parcel == NULL)
        return false;
    parcel->link = link;
    parcel->tells = length == 0;
    store_u64(parcel->bytes, link->taken);
    if (length > 0)
        memcpy(parcel->bytes + HEAD, data, length);
    request = ucp_am_send_nbx(
            link->endpoint, MESSAGE_ID, NULL, 0, parcel->bytes, HEAD + length, &param);
    if (UCS_PTR_IS_PTR(request)) {
        ++link->posted;
        link->telling |= parcel->tells;
    } else {
        free_parcel(parcel);
    }
    if (UCS_PTR_IS_ERR(request)) {
        ucx_link_fail(link, "UCX could not send", UCS_PTR_STATUS(request));
        return false;
    }
    link->told = link->taken;
    return true;
}

static uint64_t cost(size_t length)
{
    return length + UCX_PIECE_COST;
}

size_t ucx_link_put(struct ucx_link *link, const uint8_t *data, size_t length)
{
    size_t done = 0;

    while (done < length && link->failure[0] == '\0') {
        size_t piece = length - done < UCX_PIECE_MAX ? length - done : UCX_PIECE_MAX;

        if (link->sent - link->sent_taken + cost(piece) > UCX_WINDOW
                || !post(link, data + done, piece))
            break;
        link->sent += cost(piece);
        done += piece;
    }
    return done;
}

const uint8_t *ucx_link_peek(const struct ucx_link *link, size_t *length)
{
    const struct ucx_piece *first = link->first;

    if (first == NULL)
        return NULL;
    *length = first->length;
    return first->held == NULL ? first->bytes : (const uint8_t *)first->held + HEAD;
}

static void drop_first(struct ucx_link *link)
{
    struct ucx_piece *first = link->first;

    link->first = first->next;
    if (link->first == NULL)
        link->end = &link->first;
    if (first->held != NULL)
        ucp_am_data_release(link->worker, first->held);
    if (first->capacity == SMALL && link->spare_piece == NULL)
        link->spare_piece = first;
    else
        free(first);
}

void ucx_pieces_tell(struct ucx_link *link)
{
    if (link->failure[0] == '\0')
        post(link, NULL, 0);
}

void ucx_link_take(struct ucx_link *link)
{
    link->taken += cost(link->first->length);
    drop_first(link);
    if (link->taken - link->told >= TELL_AFTER && !link->telling)
        ucx_pieces_tell(link);
}

void ucx_pieces_free(struct ucx_link *link)
{
    while (link->first != NULL)
        drop_first(link);
}

/* Most messages and pieces are short-lived, so one spare block of each kind avoids most mallocs. */
bool ucx_spares_make(struct ucx_link *link)
{
    link->spare_parcel = malloc(sizeof(*link->spare_parcel) + SMALL);
    link->spare_piece = malloc(sizeof(*link->spare_piece) + SMALL);
    if (link->spare_parcel == NULL || link->spare_piece == NULL)
        return false;
    link->spare_parcel->capacity = SMALL;
    link->spare_piece->capacity = SMALL;
    return true;
}

void ucx_spares_free(struct ucx_link *link)
{
    free(link->spare_parcel);
    free(link->spare_piece);
}

static struct ucx_piece *make_piece(struct ucx_link *link, size_t length)
{
    struct ucx_piece *piece = link->spare_piece;

    if (piece != NULL && length <= SMALL) {
        link->spare_piece = NULL;
        return piece;
    }
    piece = malloc(sizeof(*piece) + length);
    if (piece != NULL)
        piece->capacity = length;
    return piece;
}

static bool keep(struct ucx_link *link, uint8_t *message, size_t length, bool held)
{
    struct ucx_piece *piece = make_piece(link, held ? 0 : length);

    if (piece == NULL) {
        ucx_link_fail(link, "A message received over UCX could not be stored", UCS_ERR_NO_MEMORY);
        return false;
    }
    piece->next = NULL;
    piece->held = held ? message : NULL;
    piece->length = length;
    if (!held)
        memcpy(piece->bytes, message + HEAD, length);
    *link->end = piece;
    link->end = &piece->next;
    link->arrived += cost(length);
    return true;
}

/* Validates a message. Reads the peer's position only once. */
static bool is_sound(struct ucx_link *link, const uint8_t *message, size_t length, bool whole)
{
    uint64_t taken;

    if (!whole || length < HEAD || length > HEAD + UCX_PIECE_MAX)
        return false;
    taken = load_u64(message);
    if (taken - link->sent_taken > link->sent - link->sent_taken)
        return false;
    link->sent_taken = taken;
    link->heard = true;
    return length == HEAD || link->arrived - link->taken + cost(length - HEAD) <= UCX_WINDOW;
}

/* Returns UCS_INPROGRESS if the link keeps the memory of `data` until ucp_am_data_release. */
static ucs_status_t receive(void *argument, const void *header, size_t header_length, void *data,
        size_t length, const ucp_am_recv_param_t *param)
{
    struct ucx_link *link = argument;
    bool whole = !(param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV);
    bool lasts = param->recv_attr & UCP_AM_RECV_ATTR_FLAG_DATA;

    (void)header;
    (void)header_length;
    if (link->failure[0] != '\0')
        return UCS_OK;
    if (!is_sound(link, data, length, whole)) {
        ucx_link_fail(link, "The peer sent an invalid message over UCX", UCS_ERR_INVALID_PARAM);
        return UCS_OK;
    }
    if (length == HEAD || !keep(link, data, length - HEAD, lasts))
        return UCS_OK;
    return lasts ? UCS_INPROGRESS : UCS_OK;
}

ucs_status_t ucx_pieces_receive(struct ucx_link *link)
{
    ucp_am_handler_param_t param = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS
                | UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG,
        .id = MESSAGE_ID,
        .flags = UCP_AM_FLAG_WHOLE_MSG,
        .cb = receive,
        .arg = link,
    };

    return ucp_worker_set_am_recv_handler(link->worker, &param);
}
