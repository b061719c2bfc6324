/* SPDX-License-Identifier: Apache-2.0 */
/* The resources of each host, for limits and for cleanup. */
#include <stdlib.h>

#include "compress.h"

static struct host *find(const struct compress *compress, uint64_t id)
{
    struct host *host;

    ucs_list_for_each(host, &compress->hosts, entry)
    {
        if (host->id == id)
            return host;
    }
    return NULL;
}

/* Finds or creates the host. Returns NULL if there is no memory. */
static struct host *find_or_create(struct compress *compress, uint64_t id)
{
    struct host *host = find(compress, id);

    if (host != NULL)
        return host;
    host = calloc(1, sizeof(*host));
    if (host == NULL)
        return NULL;
    host->id = id;
    ucs_list_head_init(&host->contexts);
    ucs_list_add_tail(&compress->hosts, &host->entry);
    return host;
}

static void unqueue(struct compress *compress, struct block *block)
{
    ucs_list_del(&block->entry);
    block->host->queued -= block->charge;
    compress->queued -= block->charge;
}

static void drop(struct compress *compress, struct host *host)
{
    struct urom_worker_notif_desc *answer, *next_answer;
    struct block *block, *next;

    ucs_list_for_each_safe(block, next, &compress->blocks, entry)
    {
        if (block->host != host)
            continue;
        unqueue(compress, block);
        free(block->refusal);
        free(block->desc);
        free(block);
    }
    ucs_list_for_each_safe(answer, next_answer, &compress->answers, entry)
    {
        if (answer->dest_id != host->id)
            continue;
        ucs_list_del(&answer->entry);
        free(answer);
    }
    contexts_free(host);
    ucs_list_del(&host->entry);
    free(host);
}

void compress_host_left(struct compress *compress, uint64_t id)
{
    struct host *host = find(compress, id);

    if (host != NULL)
        drop(compress, host);
}

void compress_skip(struct compress *compress, struct block *block)
{
    block->refusal->worker_notif.status = DOCA_ERROR_SKIPPED;
    ucs_list_add_tail(&compress->answers, &block->refusal->entry);
    free(block->desc);
    free(block);
}

void compress_cancel(struct compress *compress, uint64_t id, uint64_t urom_context)
{
    struct block *block, *next;

    ucs_list_for_each_safe(block, next, &compress->blocks, entry)
    {
        if (block->desc->dest_id == id && block->desc->worker_cmd.urom_context == urom_context) {
            unqueue(compress, block);
            compress_skip(compress, block);
        }
    }
}

void compress_free(struct compress *compress)
{
    while (!ucs_list_is_empty(&compress->hosts))
        drop(compress, ucs_list_head(&compress->hosts, struct host, entry));
    while (!ucs_list_is_empty(&compress->answers))
        free(ucs_list_extract_head(&compress->answers, struct urom_worker_notif_desc, entry));
}

enum urom_compress_result compress_queue(struct compress *compress,
        struct urom_worker_cmd_desc *desc, const struct compress_command *command,
        struct urom_worker_notif_desc *refusal)
{
    size_t charge = sizeof(struct block) + sizeof(*desc) + desc->worker_cmd.len + command->capacity;
    struct host *host = find_or_create(compress, desc->dest_id);
    struct block *block;

    if (host == NULL || charge > QUEUED_MAX - host->queued
            || charge > ALL_QUEUED_MAX - compress->queued)
        return UROM_COMPRESS_MEMORY;
    block = malloc(sizeof(*block));
    if (block == NULL)
        return UROM_COMPRESS_MEMORY;
    *block = (struct block){
        .host = host,
        .desc = desc,
        .command = *command,
        .refusal = refusal,
        .charge = charge,
    };
    host->queued += charge;
    compress->queued += charge;
    ucs_list_add_tail(&compress->blocks, &block->entry);
    return UROM_COMPRESS_OK;
}

struct block *compress_next(struct compress *compress)
{
    struct block *block;

    if (ucs_list_is_empty(&compress->blocks))
        return NULL;
    block = ucs_list_head(&compress->blocks, struct block, entry);
    unqueue(compress, block);
    return block;
}
