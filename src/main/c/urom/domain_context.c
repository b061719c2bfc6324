/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include <common/sdk_log.h>

#include "domain_context.h"
#include "domain_part.h"
#include "domain_start.h"

SDK_LOG_REGISTER(UROM::DOMAIN)

static const struct ctx_operations operations = {
    .name = "UROM domain context",
    .start = domain_start,
    .stop = domain_stop,
};

doca_error_t doca_urom_domain_create(struct doca_urom_domain **domain_ctx)
{
    struct doca_urom_domain *domain;

    if (domain_ctx == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    domain = calloc(1, sizeof(*domain));
    if (domain == NULL)
        return DOCA_ERROR_NO_MEMORY;

    priv_doca_ctx_init(&domain->ctx, &operations);
    *domain_ctx = domain;
    return DOCA_SUCCESS;
}

static void drop_workers(struct doca_urom_domain *domain)
{
    for (uint32_t i = 0; i < domain->member_count; ++i) {
        if (domain->members[i].worker != NULL)
            worker_end_unobserve(&domain->members[i].worker->end, &domain->members[i].observer);
    }
    free(domain->members);
    domain->members = NULL;
    domain->member_count = 0;
}

static void free_buffers(struct doca_urom_domain *domain)
{
    for (size_t i = 0; i < domain->buffer_count; ++i) {
        free((uint8_t *)domain->buffers[i].memh.data);
        free((uint8_t *)domain->buffers[i].mkey.data);
    }
    free(domain->buffers);
    domain->buffers = NULL;
    domain->buffer_count = 0;
    domain->buffer_capacity = 0;
}

doca_error_t doca_urom_domain_destroy(struct doca_urom_domain *domain_ctx)
{
    struct doca_pe *pe;
    doca_error_t status;

    if (domain_ctx == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (domain_ctx->exchange.calling) {
        SDK_LOG_DBG("A domain cannot be destroyed by its own out-of-band callbacks");
        return DOCA_ERROR_NOT_PERMITTED;
    }
    pe = domain_ctx->ctx.pe;
    status = priv_doca_ctx_fini(&domain_ctx->ctx);
    if (status != DOCA_SUCCESS)
        return status;

    if (domain_ctx->polling)
        priv_doca_pe_remove_poller(pe, &domain_ctx->poller);
    exchange_free(&domain_ctx->exchange);
    drop_workers(domain_ctx);
    free_buffers(domain_ctx);
    free(domain_ctx);
    return DOCA_SUCCESS;
}

/* Returns an error if `domain` cannot be changed. */
static doca_error_t check_changeable(const struct doca_urom_domain *domain)
{
    if (domain == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    return ctx_is_idle(&domain->ctx) ? DOCA_SUCCESS : DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_urom_domain_set_buffers_count(
        struct doca_urom_domain *domain_ctx, size_t buffers_cnt)
{
    doca_error_t status = check_changeable(domain_ctx);
    struct wire_domain_buffer *buffers;

    if (status != DOCA_SUCCESS)
        return status;
    if (buffers_cnt >= UINT32_MAX)
        return DOCA_ERROR_NO_MEMORY;
    buffers = calloc(buffers_cnt + 1, sizeof(*buffers));
    if (buffers == NULL)
        return DOCA_ERROR_NO_MEMORY;

    free_buffers(domain_ctx);
    domain_ctx->buffers = buffers;
    domain_ctx->buffer_capacity = buffers_cnt;
    domain_ctx->has_buffer_capacity = true;
    return DOCA_SUCCESS;
}

/* Copies packed bytes, which may be empty. */
static doca_error_t copy_bytes(struct wire_bytes *copy, const void *bytes, size_t length)
{
    uint8_t *data = malloc(length + 1);

    if (data == NULL)
        return DOCA_ERROR_NO_MEMORY;
    if (length > 0)
        memcpy(data, bytes, length);
    *copy = (struct wire_bytes){ data, length };
    return DOCA_SUCCESS;
}

doca_error_t doca_urom_domain_add_buffer(struct doca_urom_domain *domain_ctx, void *buffer,
        size_t buf_len, void *memh, size_t memh_len, void *mkey, size_t mkey_len)
{
    doca_error_t status = check_changeable(domain_ctx);
    struct wire_domain_buffer *added;

    if (status != DOCA_SUCCESS)
        return status;
    if (buffer == NULL || buf_len == 0 || (uintptr_t)buffer + (buf_len - 1) < (uintptr_t)buffer
            || (memh == NULL && memh_len > 0) || (mkey == NULL && mkey_len > 0)
            || memh_len > WIRE_DOMAIN_PARTS_MAX || mkey_len > WIRE_DOMAIN_PARTS_MAX)
        return DOCA_ERROR_INVALID_VALUE;
    if (!domain_ctx->has_buffer_capacity) {
        SDK_LOG_DBG("doca_urom_domain_set_buffers_count must be called before buffers are added");
        return DOCA_ERROR_BAD_STATE;
    }
    if (domain_ctx->buffer_count == domain_ctx->buffer_capacity)
        return DOCA_ERROR_FULL;

    added = &domain_ctx->buffers[domain_ctx->buffer_count];
    status = copy_bytes(&added->memh, memh, memh_len);
    if (status == DOCA_SUCCESS) {
        status = copy_bytes(&added->mkey, mkey, mkey_len);
        if (status != DOCA_SUCCESS)
            free((uint8_t *)added->memh.data);
    }
    if (status != DOCA_SUCCESS)
        return status;
    added->address = (uintptr_t)buffer;
    added->length = buf_len;
    ++domain_ctx->buffer_count;
    return DOCA_SUCCESS;
}

doca_error_t doca_urom_domain_set_oob(
        struct doca_urom_domain *domain_ctx, struct doca_urom_domain_oob_coll *oob)
{
    doca_error_t status = check_changeable(domain_ctx);

    if (status != DOCA_SUCCESS)
        return status;
    if (oob == NULL || oob->allgather == NULL || oob->req_test == NULL || oob->req_free == NULL) {
        SDK_LOG_ERR("The domain's out-of-band exchange lacks one of its three callbacks");
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (oob->oob_index >= oob->n_oob_indexes) {
        SDK_LOG_ERR("The domain's out-of-band index %u is not below the number of participants, %u",
                oob->oob_index, oob->n_oob_indexes);
        return DOCA_ERROR_INVALID_VALUE;
    }

    domain_ctx->oob = *oob;
    domain_ctx->has_oob = true;
    return DOCA_SUCCESS;
}

/* Returns INVALID_VALUE if an id occurs twice. */
static doca_error_t check_ids(const uint64_t *ids, size_t count)
{
    uint64_t *sorted = malloc(count * sizeof(*sorted));
    doca_error_t status;

    if (sorted == NULL)
        return DOCA_ERROR_NO_MEMORY;
    memcpy(sorted, ids, count * sizeof(*sorted));
    status = domain_check_ids(sorted, count);
    free(sorted);
    return status;
}

static doca_error_t check_workers(
        const uint64_t *ids, struct doca_urom_worker **workers, size_t count)
{
    if (ids == NULL || workers == NULL || count == 0 || count > WIRE_DOMAIN_PARTS_MAX)
        return DOCA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; ++i) {
        if (workers[i] == NULL)
            return DOCA_ERROR_INVALID_VALUE;
    }
    return check_ids(ids, count);
}

static void member_lost(struct worker_observer *observer, bool destroyed)
{
    struct domain_member *member = CONTAINER_OF(observer, struct domain_member, observer);
    struct doca_urom_domain *domain = member->domain;

    if (destroyed)
        member->worker = NULL;
    member->has_domain = false;
    member->pending = false;
    member->request.id = 0; /* the table of requests was freed with the connection */
    if (domain->phase != DOMAIN_IDLE && domain->verdict == DOCA_SUCCESS) {
        SDK_LOG_ERR("The worker with the domain worker id %lu was lost while its domain started",
                member->id);
        domain->verdict = DOCA_ERROR_CONNECTION_RESET;
    }
}

doca_error_t doca_urom_domain_set_workers(struct doca_urom_domain *domain_ctx,
        uint64_t *domain_worker_ids, struct doca_urom_worker **workers, size_t workers_cnt)
{
    doca_error_t status = check_changeable(domain_ctx);
    struct domain_member *members;

    if (status == DOCA_SUCCESS)
        status = check_workers(domain_worker_ids, workers, workers_cnt);
    if (status != DOCA_SUCCESS)
        return status;
    members = calloc(workers_cnt, sizeof(*members));
    if (members == NULL)
        return DOCA_ERROR_NO_MEMORY;

    drop_workers(domain_ctx);
    for (size_t i = 0; i < workers_cnt; ++i) {
        members[i].domain = domain_ctx;
        members[i].worker = workers[i];
        members[i].id = domain_worker_ids[i];
        members[i].observer.lost = member_lost;
        worker_end_observe(&workers[i]->end, &members[i].observer);
    }
    domain_ctx->members = members;
    domain_ctx->member_count = (uint32_t)workers_cnt;
    return DOCA_SUCCESS;
}

struct doca_ctx *doca_urom_domain_as_ctx(struct doca_urom_domain *domain_ctx)
{
    return domain_ctx == NULL ? NULL : &domain_ctx->ctx;
}
