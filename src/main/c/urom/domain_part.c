/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <common/sdk_log.h>
#include <faults/faults.h>

#include "domain_context.h"
#include "domain_part.h"

SDK_LOG_REGISTER(UROM::DOMAIN)

static int compare_ids(const void *left, const void *right)
{
    uint64_t left_id = *(const uint64_t *)left;
    uint64_t right_id = *(const uint64_t *)right;

    return left_id < right_id ? -1 : left_id > right_id;
}

doca_error_t domain_check_ids(uint64_t *ids, size_t count)
{
    qsort(ids, count, sizeof(*ids), compare_ids);
    for (size_t i = 1; i < count; ++i) {
        if (ids[i] == ids[i - 1]) {
            SDK_LOG_ERR("The domain worker id %" PRIu64 " is assigned to two workers: ids must be "
                        "unique in a domain",
                    ids[i]);
            return DOCA_ERROR_INVALID_VALUE;
        }
    }
    return DOCA_SUCCESS;
}

/* Returns the name of a plugin of the worker's service, or NULL. */
static const char *plugin_name(const struct doca_urom_worker *worker, uint64_t plugin)
{
    const struct session *session = worker->link.session;

    for (uint32_t i = 0; i < session->plugin_count; ++i) {
        if (session->plugins[i].id == plugin)
            return session->plugins[i].plugin_name;
    }
    return NULL;
}

/* Describes a worker's plugin. Returns false if the plugin has no address. */
static bool describe(
        const struct doca_urom_worker *worker, uint32_t index, struct wire_domain_plugin *plugin)
{
    const struct worker_plugin_address *address = &worker->channel.addresses[index];
    const char *name = address->length == 0 ? NULL : plugin_name(worker, address->plugin);

    if (name == NULL)
        return false;
    plugin->name = (struct wire_bytes){ (const uint8_t *)name, strlen(name) };
    plugin->address = (struct wire_bytes){ address->bytes, address->length };
    return true;
}

static doca_error_t add_worker(
        const struct domain_member *member, uint8_t *data, size_t capacity, size_t *length)
{
    const struct doca_urom_worker *worker = member->worker;
    struct wire_domain_plugin plugin;
    uint32_t plugins = 0;
    doca_error_t status;

    for (uint32_t i = 0; i < worker->channel.address_count; ++i)
        plugins += describe(worker, i, &plugin);
    status = wire_add_part_worker(data, capacity, length, member->id, plugins);
    for (uint32_t i = 0; i < worker->channel.address_count && status == DOCA_SUCCESS; ++i) {
        if (describe(worker, i, &plugin))
            status = wire_add_part_plugin(data, capacity, length, &plugin);
    }
    return status;
}

static doca_error_t add_part(
        const struct doca_urom_domain *domain, uint8_t *data, size_t capacity, size_t *length)
{
    doca_error_t status = wire_add_part(
            data, capacity, length, domain->member_count, (uint32_t)domain->buffer_count);

    for (uint32_t i = 0; i < domain->member_count && status == DOCA_SUCCESS; ++i)
        status = add_worker(&domain->members[i], data, capacity, length);
    for (size_t i = 0; i < domain->buffer_count && status == DOCA_SUCCESS; ++i)
        status = wire_add_part_buffer(data, capacity, length, &domain->buffers[i]);
    return status;
}

doca_error_t domain_make_part(struct doca_urom_domain *domain)
{
    size_t length = 0;
    doca_error_t status = add_part(domain, NULL, WIRE_DOMAIN_PARTS_MAX, &length);

    if (status == DOCA_ERROR_TOO_BIG)
        SDK_LOG_ERR("The domain's workers and buffers exceed the maximum of %d bytes: add fewer",
                WIRE_DOMAIN_PARTS_MAX);
    if (status != DOCA_SUCCESS)
        return status;
    domain->part = FAULT_ALLOCATE(domain_memory, malloc(length));
    if (domain->part == NULL)
        return DOCA_ERROR_NO_MEMORY;

    domain->part_length = 0;
    return add_part(domain, domain->part, length, &domain->part_length);
}

/* Checks the announcement of participant `index` against that of participant 0. */
static doca_error_t check_announcement(const struct wire_announcement *announcement,
        const struct wire_announcement *first, uint32_t index, uint32_t participants)
{
    if (announcement->index != index || announcement->participants != participants) {
        SDK_LOG_ERR("The out-of-band exchange delivered the block of participant %u of %u in place "
                    "of that of participant %u of %u",
                announcement->index, announcement->participants, index, participants);
        return DOCA_ERROR_UNEXPECTED;
    }
    if (announcement->buffers != first->buffers) {
        SDK_LOG_ERR("Participant %u of the domain has %u buffers, participant 0 has %u: all must "
                    "have the same number",
                index, announcement->buffers, first->buffers);
        return DOCA_ERROR_INVALID_VALUE;
    }
    return DOCA_SUCCESS;
}

doca_error_t domain_take_announcements(struct doca_urom_domain *domain, size_t *longest)
{
    uint32_t participants = domain->oob.n_oob_indexes;
    struct wire_announcement announcement, first = { 0 };
    doca_error_t status = DOCA_SUCCESS;
    size_t total = 0;

    domain->part_lengths = FAULT_ALLOCATE(
            domain_memory, calloc(participants, sizeof(*domain->part_lengths)));
    if (domain->part_lengths == NULL)
        return DOCA_ERROR_NO_MEMORY;

    *longest = 0;
    for (uint32_t i = 0; i < participants && status == DOCA_SUCCESS; ++i) {
        status = wire_get_announcement(exchange_block(&domain->exchange, i), &announcement);
        if (status != DOCA_SUCCESS) {
            SDK_LOG_ERR("Participant %u did not send a valid announcement of a domain: %s. All "
                        "participants need the same version of the library, and the exchange must "
                        "deliver every block.",
                    i, doca_error_get_descr(status));
            break;
        }
        if (i == 0)
            first = announcement;
        status = check_announcement(&announcement, &first, i, participants);
        domain->part_lengths[i] = announcement.part_length;
        total += announcement.part_length;
        if (announcement.part_length > *longest)
            *longest = announcement.part_length;
    }
    if (status == DOCA_SUCCESS && total > WIRE_DOMAIN_PARTS_MAX) {
        SDK_LOG_ERR("The workers and buffers of all participants take %zu bytes; the maximum is %d",
                total, WIRE_DOMAIN_PARTS_MAX);
        status = DOCA_ERROR_TOO_BIG;
    }
    return status;
}

/* The worker ids of all participants. */
struct ids {
    uint64_t *ids;
    size_t count;
};

static void count_ids(void *owner, uint32_t workers, uint32_t buffers)
{
    (void)buffers;
    ((struct ids *)owner)->count += workers;
}

static void store_id(void *owner, uint64_t id, uint32_t plugins)
{
    struct ids *ids = owner;

    (void)plugins;
    ids->ids[ids->count++] = id;
}

/* Returns INVALID_VALUE if two workers have the same id. */
static doca_error_t check_body(struct wire_bytes body)
{
    static const struct wire_domain_visitor counter = { .part = count_ids };
    static const struct wire_domain_visitor storer = { .worker = store_id };
    struct wire_domain_head head;
    doca_error_t status;
    struct ids ids = { 0 };

    wire_walk_domain(body, &head, &counter, &ids);
    ids.ids = calloc(ids.count, sizeof(*ids.ids));
    if (ids.ids == NULL)
        return DOCA_ERROR_NO_MEMORY;
    ids.count = 0;
    wire_walk_domain(body, &head, &storer, &ids);
    status = domain_check_ids(ids.ids, ids.count);
    free(ids.ids);
    return status;
}

/* Copies the parts, without the padding of the exchange, after the head of the body. */
static doca_error_t gather_parts(struct doca_urom_domain *domain)
{
    size_t at = WIRE_DOMAIN_HEAD_SIZE;

    for (uint32_t i = 0; i < domain->oob.n_oob_indexes; ++i) {
        struct wire_bytes part = { exchange_block(&domain->exchange, i), domain->part_lengths[i] };

        if (wire_walk_part(part, NULL, NULL) != DOCA_SUCCESS) {
            SDK_LOG_ERR("The part of participant %u of the domain is malformed: the out-of-band "
                        "exchange must deliver every block unchanged",
                    i);
            return DOCA_ERROR_UNEXPECTED;
        }
        memcpy(domain->body + at, part.data, part.length);
        at += part.length;
    }
    return DOCA_SUCCESS;
}

doca_error_t domain_take_parts(struct doca_urom_domain *domain)
{
    struct wire_domain_head head = { domain->key, domain->oob.n_oob_indexes };
    doca_error_t status;

    domain->body_length = WIRE_DOMAIN_HEAD_SIZE;
    for (uint32_t i = 0; i < domain->oob.n_oob_indexes; ++i)
        domain->body_length += domain->part_lengths[i];
    domain->body = FAULT_ALLOCATE(domain_memory, malloc(domain->body_length));
    if (domain->body == NULL)
        return DOCA_ERROR_NO_MEMORY;

    wire_put_domain_head(domain->body, &head);
    status = gather_parts(domain);
    return status == DOCA_SUCCESS
            ? check_body((struct wire_bytes){ domain->body, domain->body_length })
            : status;
}
