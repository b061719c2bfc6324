/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <common/sdk_log.h>
#include <faults/faults.h>

#include "domain_context.h"
#include "domain_part.h"
#include "domain_start.h"

SDK_LOG_REGISTER(UROM::DOMAIN)

#define SEND_DEADLINE_MS 20000 /* for the responses of all workers */

static void send_domain(struct domain_member *member, struct wire_bytes body)
{
    struct wire_frame frame = {
        .type = WIRE_DOMAIN,
        .request_id = member->request.id,
        .domain = body,
    };
    doca_error_t status;

    FAULT_DROP(host_domain_sending, channel_socket(member->worker->channel.handle));
    status = channel_send_frame(member->worker->channel.handle, &frame);
    FAULT_DROP(host_domain_sent, channel_socket(member->worker->channel.handle));
    if (status != DOCA_SUCCESS && member->domain->verdict == DOCA_SUCCESS)
        member->domain->verdict = status;
}

/* Notifies the workers that the domain has ended. Does not wait for responses. */
static void end_domain(struct doca_urom_domain *domain)
{
    uint8_t head[WIRE_DOMAIN_HEAD_SIZE];

    wire_put_domain_head(head, &(struct wire_domain_head){ .key = domain->key });
    for (uint32_t i = 0; i < domain->member_count; ++i) {
        if (domain->members[i].has_domain)
            send_domain(&domain->members[i], (struct wire_bytes){ head, sizeof(head) });
        domain->members[i].has_domain = false;
    }
}

static void stop_polling(struct doca_urom_domain *domain)
{
    if (domain->polling)
        priv_doca_pe_remove_poller(domain->ctx.pe, &domain->poller);
    domain->polling = false;
}

/* Frees the resources of a start. An incomplete exchange is kept, and still polled. */
static void end_start(struct doca_urom_domain *domain)
{
    domain->phase = DOMAIN_IDLE;
    deadline_clear(&domain->deadline);
    for (uint32_t i = 0; i < domain->member_count; ++i) {
        if (domain->members[i].request.id != 0)
            requests_close(
                    &domain->members[i].worker->channel.requests, &domain->members[i].request);
        domain->members[i].pending = false;
    }
    free(domain->part);
    free(domain->part_lengths);
    free(domain->body);
    domain->part = NULL;
    domain->part_lengths = NULL;
    domain->body = NULL;
    if (!domain->exchange.outstanding && !domain->exchange.calling) {
        exchange_free(&domain->exchange);
        stop_polling(domain);
    }
}

static void finish(struct doca_urom_domain *domain, doca_error_t status)
{
    if (status != DOCA_SUCCESS) {
        SDK_LOG_ERR("The domain did not start: %s", doca_error_get_descr(status));
        end_domain(domain);
    }
    end_start(domain);
    priv_doca_ctx_post_state(
            &domain->ctx, status == DOCA_SUCCESS ? DOCA_CTX_STATE_RUNNING : DOCA_CTX_STATE_IDLE);
}

static doca_error_t announce(struct doca_urom_domain *domain)
{
    struct wire_announcement announcement = {
        .index = domain->oob.oob_index,
        .participants = domain->oob.n_oob_indexes,
        .workers = domain->member_count,
        .buffers = (uint32_t)domain->buffer_count,
        .part_length = (uint32_t)domain->part_length,
    };
    doca_error_t status;

    status = exchange_prepare(&domain->exchange, &domain->oob, WIRE_ANNOUNCEMENT_SIZE);
    if (status != DOCA_SUCCESS)
        return status;
    wire_put_announcement(domain->exchange.send, &announcement);
    domain->phase = DOMAIN_ANNOUNCING;
    FAULT_REACH(host_domain_announcing);
    return exchange_begin(&domain->exchange);
}

static doca_error_t share(struct doca_urom_domain *domain)
{
    size_t longest;
    doca_error_t status = domain_take_announcements(domain, &longest);

    if (status == DOCA_SUCCESS)
        status = exchange_prepare(&domain->exchange, &domain->oob, longest);
    if (status != DOCA_SUCCESS)
        return status;
    memcpy(domain->exchange.send, domain->part, domain->part_length);
    domain->phase = DOMAIN_SHARING;
    FAULT_REACH(host_domain_sharing);
    return exchange_begin(&domain->exchange);
}

static void domain_answered(struct request *request, const struct wire_frame *frame)
{
    struct domain_member *member = CONTAINER_OF(request, struct domain_member, request);
    struct doca_urom_domain *domain = member->domain;

    if (domain->phase != DOMAIN_SENDING || !member->pending)
        return;
    FAULT_REACH(host_domain_answered);
    if (frame->type == WIRE_ERROR) {
        SDK_LOG_ERR("The worker with the domain worker id %lu rejected the domain: %.*s",
                member->id, (int)frame->error.text.length, (const char *)frame->error.text.data);
        domain->verdict = frame->error.status;
    }
    member->pending = frame->type != WIRE_ERROR && frame->type != WIRE_DOMAIN_READY;
}

static void send_passed(struct deadline *deadline)
{
    struct doca_urom_domain *domain = CONTAINER_OF(deadline, struct doca_urom_domain, deadline);

    SDK_LOG_ERR("A worker did not confirm the domain within %d s", SEND_DEADLINE_MS / 1000);
    domain->verdict = DOCA_ERROR_TIME_OUT;
}

static void send_to_workers(struct doca_urom_domain *domain)
{
    if (domain->verdict == DOCA_SUCCESS)
        domain->verdict = domain_take_parts(domain);
    domain->phase = DOMAIN_SENDING;
    if (domain->verdict == DOCA_SUCCESS)
        domain->verdict = deadline_set(
                &domain->deadline, domain->ctx.pe, SEND_DEADLINE_MS, send_passed);
    for (uint32_t i = 0; i < domain->member_count && domain->verdict == DOCA_SUCCESS; ++i) {
        struct domain_member *member = &domain->members[i];

        member->pending = true;
        member->has_domain = true;
        send_domain(member, (struct wire_bytes){ domain->body, domain->body_length });
    }
}

/* Returns whether no further response of a worker can change the verdict. */
static bool verdict_is_final(const struct doca_urom_domain *domain)
{
    if (domain->verdict != DOCA_SUCCESS)
        return true;
    for (uint32_t i = 0; i < domain->member_count; ++i) {
        if (domain->members[i].pending)
            return false;
    }
    return true;
}

static doca_error_t agree(struct doca_urom_domain *domain)
{
    doca_error_t status;

    deadline_clear(&domain->deadline);
    status = exchange_prepare(&domain->exchange, &domain->oob, WIRE_VERDICT_SIZE);
    if (status != DOCA_SUCCESS)
        return status;
    wire_put_verdict(domain->exchange.send, domain->verdict);
    domain->phase = DOMAIN_AGREEING;
    FAULT_REACH(host_domain_agreeing);
    return exchange_begin(&domain->exchange);
}

/* Returns this participant's error if it has one, or else the first error of the others. */
static doca_error_t combine_verdicts(const struct doca_urom_domain *domain)
{
    doca_error_t verdict = DOCA_SUCCESS;

    if (domain->verdict != DOCA_SUCCESS)
        return domain->verdict;
    for (uint32_t i = 0; i < domain->oob.n_oob_indexes && verdict == DOCA_SUCCESS; ++i) {
        if (wire_get_verdict(exchange_block(&domain->exchange, i), &verdict) != DOCA_SUCCESS)
            verdict = DOCA_ERROR_UNEXPECTED;
        if (verdict != DOCA_SUCCESS)
            SDK_LOG_ERR("Participant %u of the domain aborted the start: %s", i,
                    doca_error_get_descr(verdict));
    }
    return verdict;
}

/* Continues after the all-gather of this phase. */
static doca_error_t next_phase(struct doca_urom_domain *domain)
{
    switch (domain->phase) {
    case DOMAIN_ANNOUNCING:
        return share(domain);
    case DOMAIN_SHARING:
        send_to_workers(domain);
        return DOCA_SUCCESS;
    default: /* DOMAIN_AGREEING */
        finish(domain, combine_verdicts(domain));
        return DOCA_SUCCESS;
    }
}

/* Advances the start. IN_PROGRESS: not possible yet. Other errors: the start has failed. */
static doca_error_t step(struct doca_urom_domain *domain)
{
    doca_error_t status;

    if (domain->phase == DOMAIN_BEGINNING)
        return announce(domain);
    if (domain->phase == DOMAIN_SENDING)
        return verdict_is_final(domain) ? agree(domain) : DOCA_ERROR_IN_PROGRESS;
    status = exchange_test(&domain->exchange);
    /* The callback may have stopped the domain. */
    if (status == DOCA_SUCCESS && domain->phase != DOMAIN_IDLE)
        status = next_phase(domain);
    return status;
}

static unsigned poll_domain(struct pe_poller *poller)
{
    struct doca_urom_domain *domain = CONTAINER_OF(poller, struct doca_urom_domain, poller);
    doca_error_t status;

    if (domain->exchange.calling)
        return 0;
    status = step(domain);
    if (status == DOCA_ERROR_IN_PROGRESS)
        return 0;
    if (domain->phase == DOMAIN_IDLE)
        end_start(domain); /* frees an exchange that was incomplete when the start ended */
    else if (status != DOCA_SUCCESS)
        finish(domain, status);
    return 1;
}

static doca_error_t arm_domain(struct pe_poller *poller)
{
    struct doca_urom_domain *domain = CONTAINER_OF(poller, struct doca_urom_domain, poller);

    /* Callbacks can only be polled; responses of workers have their own descriptors. */
    if (domain->phase == DOMAIN_SENDING)
        return verdict_is_final(domain) ? DOCA_ERROR_AGAIN : DOCA_SUCCESS;
    return domain->phase == DOMAIN_IDLE ? DOCA_SUCCESS : DOCA_ERROR_AGAIN;
}

static doca_error_t check_members(const struct doca_urom_domain *domain)
{
    for (uint32_t i = 0; i < domain->member_count; ++i) {
        const struct doca_urom_worker *worker = domain->members[i].worker;
        unsigned long id = domain->members[i].id;

        if (worker == NULL) {
            SDK_LOG_ERR("The worker with the domain worker id %lu has been destroyed", id);
            return DOCA_ERROR_INVALID_VALUE;
        }
        if (worker->ctx.pe != domain->ctx.pe) {
            SDK_LOG_ERR("The worker with the domain worker id %lu is connected to a different "
                        "progress engine than its domain: connect both to the same one",
                    id);
            return DOCA_ERROR_INVALID_VALUE;
        }
        if (worker->ctx.state != DOCA_CTX_STATE_RUNNING || worker->link.state != LINK_UP) {
            SDK_LOG_ERR("The worker with the domain worker id %lu is not running: start it before "
                        "its domain",
                    id);
            return DOCA_ERROR_BAD_STATE;
        }
    }
    return DOCA_SUCCESS;
}

static doca_error_t check_settings(struct doca_urom_domain *domain)
{
    if (domain->exchange.outstanding || domain->exchange.calling) {
        SDK_LOG_ERR("An out-of-band exchange of a stopped start of the domain is incomplete: call "
                    "doca_pe_progress until it is complete, or use a new domain");
        return DOCA_ERROR_IN_USE;
    }
    if (!domain->has_oob) {
        SDK_LOG_ERR("The domain has no out-of-band exchange: call doca_urom_domain_set_oob");
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (domain->member_count == 0) {
        SDK_LOG_ERR("The domain has no workers: call doca_urom_domain_set_workers");
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (domain->buffer_count < domain->buffer_capacity) {
        SDK_LOG_ERR("Only %zu of the domain's %zu buffers were added: add the others with "
                    "doca_urom_domain_add_buffer",
                domain->buffer_count, domain->buffer_capacity);
        return DOCA_ERROR_INVALID_VALUE;
    }
    return check_members(domain);
}

static doca_error_t open_requests(struct doca_urom_domain *domain)
{
    doca_error_t status = DOCA_SUCCESS;

    for (uint32_t i = 0; i < domain->member_count && status == DOCA_SUCCESS; ++i) {
        domain->members[i].request.answered = domain_answered;
        status = requests_open(
                &domain->members[i].worker->channel.requests, &domain->members[i].request);
    }
    return status;
}

doca_error_t domain_start(struct doca_ctx *ctx)
{
    static atomic_uint_fast64_t keys;
    struct doca_urom_domain *domain = CONTAINER_OF(ctx, struct doca_urom_domain, ctx);
    doca_error_t status = check_settings(domain);

    if (status != DOCA_SUCCESS)
        return status;

    domain->verdict = DOCA_SUCCESS;
    domain->key = atomic_fetch_add(&keys, 1) + 1;
    domain->poller = (struct pe_poller){ .poll = poll_domain, .arm = arm_domain, .fd = -1 };
    status = open_requests(domain);
    if (status == DOCA_SUCCESS)
        status = domain_make_part(domain);
    if (status == DOCA_SUCCESS)
        status = priv_doca_pe_add_poller(ctx->pe, &domain->poller);
    if (status != DOCA_SUCCESS) {
        end_start(domain);
        return status;
    }
    domain->polling = true;
    domain->phase = DOMAIN_BEGINNING;
    return DOCA_ERROR_IN_PROGRESS;
}

doca_error_t domain_stop(struct doca_ctx *ctx)
{
    struct doca_urom_domain *domain = CONTAINER_OF(ctx, struct doca_urom_domain, ctx);

    FAULT_REACH(host_domain_stopping);
    end_domain(domain);
    end_start(domain);
    return DOCA_SUCCESS;
}
