/* SPDX-License-Identifier: Apache-2.0 */
/* Encoding and decoding of domains; see domain.h. A walk validates all bytes before it visits. */
#include "domain.h"

#include "wire_private.h"
#include "writer.h"

static const struct wire_domain_visitor nobody;

void wire_put_announcement(uint8_t *data, const struct wire_announcement *announcement)
{
    struct writer writer = { data, 0 };

    put_u32(&writer, WIRE_DOMAIN_MAGIC);
    put_u32(&writer, WIRE_DOMAIN_VERSION);
    put_u32(&writer, announcement->index);
    put_u32(&writer, announcement->participants);
    put_u32(&writer, announcement->workers);
    put_u32(&writer, announcement->buffers);
    put_u32(&writer, announcement->part_length);
    put_u32(&writer, 0);
}

doca_error_t wire_get_announcement(const uint8_t *data, struct wire_announcement *announcement)
{
    struct cursor cursor = { data, WIRE_ANNOUNCEMENT_SIZE, false };

    require(&cursor, take_u32(&cursor) == WIRE_DOMAIN_MAGIC);
    if (take_u32(&cursor) != WIRE_DOMAIN_VERSION && !cursor.failed)
        return DOCA_ERROR_UNSUPPORTED_VERSION;
    announcement->index = take_u32(&cursor);
    announcement->participants = take_u32(&cursor);
    announcement->workers = take_u32(&cursor);
    announcement->buffers = take_u32(&cursor);
    announcement->part_length = take_u32(&cursor);
    require(&cursor, take_u32(&cursor) == 0);
    return cursor.failed ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

void wire_put_verdict(uint8_t *data, doca_error_t verdict)
{
    store_u32(data, WIRE_DOMAIN_MAGIC);
    store_u32(data + 4, verdict);
}

doca_error_t wire_get_verdict(const uint8_t *data, doca_error_t *verdict)
{
    if (load_u32(data) != WIRE_DOMAIN_MAGIC)
        return DOCA_ERROR_INVALID_VALUE;

    *verdict = (doca_error_t)load_u32(data + 4);
    return DOCA_SUCCESS;
}

/* Creates a writer at `length`. Returns TOO_BIG unless `needed` more bytes fit. */
static doca_error_t writer_at(
        struct writer *writer, uint8_t *data, size_t capacity, size_t length, size_t needed)
{
    if (length > capacity || needed > capacity - length)
        return DOCA_ERROR_TOO_BIG;

    *writer = (struct writer){ data, length };
    return DOCA_SUCCESS;
}

doca_error_t wire_add_part(
        uint8_t *data, size_t capacity, size_t *length, uint32_t workers, uint32_t buffers)
{
    struct writer writer;
    doca_error_t status = writer_at(&writer, data, capacity, *length, 8);

    if (status != DOCA_SUCCESS)
        return status;
    put_u32(&writer, workers);
    put_u32(&writer, buffers);
    *length = writer.length;
    return DOCA_SUCCESS;
}

doca_error_t wire_add_part_worker(
        uint8_t *data, size_t capacity, size_t *length, uint64_t id, uint32_t plugins)
{
    struct writer writer;
    doca_error_t status = writer_at(&writer, data, capacity, *length, 16);

    if (status != DOCA_SUCCESS)
        return status;
    put_u64(&writer, id);
    put_u32(&writer, plugins);
    put_u32(&writer, 0);
    *length = writer.length;
    return DOCA_SUCCESS;
}

/* Returns the encoded size of a head and two runs; SIZE_MAX if a length exceeds its field. */
static size_t size_of_two(
        size_t head, const struct wire_bytes *first, const struct wire_bytes *second)
{
    if (first->length > UINT32_MAX || second->length > UINT32_MAX)
        return SIZE_MAX;
    return head + first->length + second->length;
}

static void put_two(
        struct writer *writer, const struct wire_bytes *first, const struct wire_bytes *second)
{
    put_u32(writer, (uint32_t)first->length);
    put_u32(writer, (uint32_t)second->length);
    put_bytes(writer, first);
    put_bytes(writer, second);
}

doca_error_t wire_add_part_plugin(
        uint8_t *data, size_t capacity, size_t *length, const struct wire_domain_plugin *plugin)
{
    struct writer writer;
    doca_error_t status = writer_at(
            &writer, data, capacity, *length, size_of_two(8, &plugin->name, &plugin->address));

    if (status != DOCA_SUCCESS)
        return status;
    put_two(&writer, &plugin->name, &plugin->address);
    *length = writer.length;
    return DOCA_SUCCESS;
}

doca_error_t wire_add_part_buffer(
        uint8_t *data, size_t capacity, size_t *length, const struct wire_domain_buffer *buffer)
{
    struct writer writer;
    doca_error_t status = writer_at(
            &writer, data, capacity, *length, size_of_two(24, &buffer->memh, &buffer->mkey));

    if (status != DOCA_SUCCESS)
        return status;
    put_u64(&writer, buffer->address);
    put_u64(&writer, buffer->length);
    put_two(&writer, &buffer->memh, &buffer->mkey);
    *length = writer.length;
    return DOCA_SUCCESS;
}

/* Reads what put_two wrote. */
static void take_two(struct cursor *cursor, struct wire_bytes *first, struct wire_bytes *second)
{
    first->length = take_u32(cursor);
    second->length = take_u32(cursor);
    first->data = take(cursor, first->length);
    second->data = take(cursor, second->length);
}

static void walk_plugin(
        struct cursor *cursor, const struct wire_domain_visitor *visitor, void *owner)
{
    struct wire_domain_plugin plugin;

    take_two(cursor, &plugin.name, &plugin.address);
    require(cursor,
            !cursor->failed && plugin.name.length > 0 && plugin.name.length < WIRE_PLUGIN_NAME_SIZE
                    && wire_is_text(plugin.name.data, plugin.name.length)
                    && plugin.address.length > 0);
    if (!cursor->failed && visitor->plugin != NULL)
        visitor->plugin(owner, &plugin);
}

static void walk_worker(
        struct cursor *cursor, const struct wire_domain_visitor *visitor, void *owner)
{
    uint64_t id = take_u64(cursor);
    uint32_t plugins = take_u32(cursor);

    require(cursor, take_u32(cursor) == 0);
    if (!cursor->failed && visitor->worker != NULL)
        visitor->worker(owner, id, plugins);
    for (uint32_t i = 0; i < plugins && !cursor->failed; ++i)
        walk_plugin(cursor, visitor, owner);
}

static void walk_buffer(
        struct cursor *cursor, const struct wire_domain_visitor *visitor, void *owner)
{
    struct wire_domain_buffer buffer;

    buffer.address = take_u64(cursor);
    buffer.length = take_u64(cursor);
    take_two(cursor, &buffer.memh, &buffer.mkey);
    /* A buffer is not empty and does not wrap around the end of the address space. */
    require(cursor, buffer.length > 0 && buffer.address + (buffer.length - 1) >= buffer.address);
    if (!cursor->failed && visitor->buffer != NULL)
        visitor->buffer(owner, &buffer);
}

static void walk_part(struct cursor *cursor, const struct wire_domain_visitor *visitor, void *owner)
{
    uint32_t workers = take_u32(cursor);
    uint32_t buffers = take_u32(cursor);

    require(cursor, workers > 0);
    if (!cursor->failed && visitor->part != NULL)
        visitor->part(owner, workers, buffers);
    for (uint32_t i = 0; i < workers && !cursor->failed; ++i)
        walk_worker(cursor, visitor, owner);
    for (uint32_t i = 0; i < buffers && !cursor->failed; ++i)
        walk_buffer(cursor, visitor, owner);
}

static doca_error_t walk_parts(struct wire_bytes bytes, uint32_t parts,
        const struct wire_domain_visitor *visitor, void *owner)
{
    struct cursor cursor = { bytes.data, bytes.length, false };

    for (uint32_t i = 0; i < parts && !cursor.failed; ++i)
        walk_part(&cursor, visitor, owner);
    return cursor.failed || cursor.left > 0 ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

/* Validates all parts, then visits them. */
static doca_error_t check_and_walk(struct wire_bytes bytes, uint32_t parts,
        const struct wire_domain_visitor *visitor, void *owner)
{
    doca_error_t status = walk_parts(bytes, parts, &nobody, NULL);

    if (status == DOCA_SUCCESS && visitor != NULL)
        status = walk_parts(bytes, parts, visitor, owner);
    return status;
}

doca_error_t wire_walk_part(
        struct wire_bytes part, const struct wire_domain_visitor *visitor, void *owner)
{
    return check_and_walk(part, 1, visitor, owner);
}

void wire_put_domain_head(uint8_t *data, const struct wire_domain_head *head)
{
    store_u64(data, head->key);
    store_u32(data + 8, head->parts);
    store_u32(data + 12, 0);
}

doca_error_t wire_walk_domain(struct wire_bytes body, struct wire_domain_head *head,
        const struct wire_domain_visitor *visitor, void *owner)
{
    struct cursor cursor = { body.data, body.length, false };

    head->key = take_u64(&cursor);
    head->parts = take_u32(&cursor);
    require(&cursor, take_u32(&cursor) == 0);
    if (cursor.failed)
        return DOCA_ERROR_INVALID_VALUE;
    return check_and_walk(take_rest(&cursor), head->parts, visitor, owner);
}
