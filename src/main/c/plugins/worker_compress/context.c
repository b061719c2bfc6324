/* SPDX-License-Identifier: Apache-2.0 */
/* The contexts of a host: the most recently used ones are kept, within limits. */
#include <stdlib.h>
#include <string.h>

#include "compress.h"

static void release(struct host *host, struct context *context)
{
    ucs_list_del(&context->entry);
    --host->context_count;
    host->context_memory -= context->memory;
    if (context->state != NULL)
        context->codec->close(context);
    free(context->dictionary);
    free(context);
}

void contexts_free(struct host *host)
{
    while (!ucs_list_is_empty(&host->contexts))
        release(host, ucs_list_head(&host->contexts, struct context, entry));
}

static struct context *find(struct host *host, const struct compress_command *command)
{
    bool decompresses = command->type == UROM_WORKER_CMD_COMPRESS_DECOMPRESS;
    struct context *context;

    ucs_list_for_each(context, &host->contexts, entry)
    {
        if (context->codec == command->codec && context->decompresses == decompresses
                && (decompresses || context->level == command->level))
            return context;
    }
    return NULL;
}

/* Adds a context of 0 bytes, which the caller charges. */
static struct context *add(struct host *host, const struct compress_command *command)
{
    struct context *context = calloc(1, sizeof(*context));

    if (context == NULL)
        return NULL;
    context->codec = command->codec;
    context->decompresses = command->type == UROM_WORKER_CMD_COMPRESS_DECOMPRESS;
    context->level = command->level;
    ucs_list_add_head(&host->contexts, &context->entry);
    ++host->context_count;
    return context;
}

/* Releases the contexts used least recently, except the first, until the limits are kept. */
static void keep_limits(struct host *host)
{
    while (host->context_count > 1
            && (host->context_count > CONTEXTS_MAX || host->context_memory > CONTEXT_MEMORY_MAX))
        release(host, ucs_list_tail(&host->contexts, struct context, entry));
}

/* Gives the context the dictionary of the command, unless it already has the same. */
static enum urom_compress_result set_dictionary(
        struct context *context, const struct bytes *dictionary)
{
    uint8_t *copy = NULL;

    if (context->dictionary_length == dictionary->length
            && (dictionary->length == 0
                    || memcmp(context->dictionary, dictionary->data, dictionary->length) == 0))
        return UROM_COMPRESS_OK;
    if (dictionary->length > 0) {
        copy = malloc(dictionary->length);
        if (copy == NULL)
            return UROM_COMPRESS_MEMORY;
        memcpy(copy, dictionary->data, dictionary->length);
    }
    free(context->dictionary);
    context->dictionary = copy;
    context->dictionary_length = dictionary->length;
    return context->codec->set_dictionary(context);
}

enum urom_compress_result context_use(
        struct host *host, const struct compress_command *command, struct context **context)
{
    size_t memory = command->codec->memory(command);
    struct context *found = find(host, command);
    enum urom_compress_result result = UROM_COMPRESS_OK;

    if (memory > CONTEXT_MEMORY_MAX)
        return UROM_COMPRESS_MEMORY;
    if (found == NULL)
        found = add(host, command);
    if (found == NULL)
        return UROM_COMPRESS_MEMORY;

    ucs_list_del(&found->entry);
    ucs_list_add_head(&host->contexts, &found->entry);
    if (memory > found->memory) {
        host->context_memory += memory - found->memory;
        found->memory = memory;
        keep_limits(host);
    }
    if (found->state == NULL && !found->codec->open(found))
        result = UROM_COMPRESS_MEMORY;
    if (result == UROM_COMPRESS_OK)
        result = set_dictionary(found, &command->dictionary);
    if (result != UROM_COMPRESS_OK)
        release(host, found); /* its dictionary may differ from its state's */
    else
        *context = found;
    return result;
}
