/* SPDX-License-Identifier: Apache-2.0 */
/* Responses to peers about flushes. */
#include <stdlib.h>
#include <string.h>

#include <common/private.h>
#include <doca_log.h>

#include "rdmo.h"

DOCA_LOG_REGISTER(UROM::RDMO)

#define HEADER_SIZE (sizeof(struct urom_rdmo_rsp_hdr) + sizeof(struct urom_rdmo_flush_rsp_hdr))

/* The data of a response if requests have failed. */
struct failures {
    uint64_t count;
    uint32_t status; /* doca_error_t of the first */
    uint32_t reserved;
};

/* A response in flight. */
struct response {
    ucs_list_link_t entry;
    struct link *peer;
    struct transfer transfer;
    uint8_t header[HEADER_SIZE];
    struct failures failures;
};

static void end(struct response *response, ucs_status_t status)
{
    if (status != UCS_OK)
        DOCA_LOG(transport_severity(status), "A flush could not be answered: %s",
                ucs_status_string(status));
    --response->peer->replies;
    ucs_list_del(&response->entry);
    free(response);
}

static void sent(struct transfer *transfer, ucs_status_t status)
{
    end(CONTAINER_OF(transfer, struct response, transfer), status);
}

void respond_flush(struct rdmo *rdmo, struct link *peer, uint64_t flush_id, uint64_t failed,
        doca_error_t status)
{
    const struct urom_rdmo_rsp_hdr header = { UROM_RDMO_RSP_FLUSH };
    struct response *response;
    ucs_status_t outcome;

    if (peer->replies == RDMO_REPLIES_MAX) {
        DOCA_LOG_DBG("A flush is not answered: its peer has not taken %u answers", peer->replies);
        return;
    }
    response = calloc(1, sizeof(*response));
    if (response == NULL) {
        DOCA_LOG_ERR("A flush could not be answered: no memory");
        return;
    }
    memcpy(response->header, &header, sizeof(header));
    memcpy(response->header + sizeof(header), &flush_id, sizeof(flush_id));
    response->failures = (struct failures){ failed, status, 0 };
    response->transfer.done = sent;
    response->peer = peer;
    ++peer->replies;
    ucs_list_add_tail(&rdmo->responses, &response->entry);
    outcome = transport_send_message(peer, RDMO_MESSAGE, response->header, HEADER_SIZE,
            &response->failures, failed > 0 ? sizeof(response->failures) : 0, &response->transfer);
    if (outcome != UCS_INPROGRESS)
        end(response, outcome);
}

void queue_answer_flush(
        struct rdmo *rdmo, struct queue *queue, struct link *peer, uint64_t flush_id)
{
    respond_flush(rdmo, peer, flush_id, queue->failed, queue->status);
    queue->failed = 0;
    queue->status = DOCA_SUCCESS;
}

void responses_free(struct rdmo *rdmo)
{
    while (!ucs_list_is_empty(&rdmo->responses))
        free(ucs_list_extract_head(&rdmo->responses, struct response, entry));
}
