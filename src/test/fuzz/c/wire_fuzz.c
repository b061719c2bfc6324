/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any bytes decode to a frame or an error, a frame encodes to the same bytes,
 * and the prefix of a command decodes like the complete command. If the first byte is 0, the rest
 * is a complete frame; if it is 255, the rest is data that hosts exchange during the start of a
 * domain; otherwise, it is a type followed by a body, to which a valid header is added.
 */
#include <stdlib.h>
#include <string.h>

#include <wire/any_frame.h>
#include <wire/domain.h>
#include <wire/prefix.h>

#define MAX_MESSAGE_SIZE 2048
#define EXCHANGED 255

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reassembles the parts of a domain. */
struct parts {
    uint8_t *data;
    size_t capacity;
    size_t length;
};

static void keep(doca_error_t status)
{
    if (status != DOCA_SUCCESS)
        abort();
}

static void visit_part(void *owner, uint32_t workers, uint32_t buffers)
{
    struct parts *parts = owner;

    keep(wire_add_part(parts->data, parts->capacity, &parts->length, workers, buffers));
}

static void visit_worker(void *owner, uint64_t id, uint32_t plugins)
{
    struct parts *parts = owner;

    keep(wire_add_part_worker(parts->data, parts->capacity, &parts->length, id, plugins));
}

static void visit_plugin(void *owner, const struct wire_domain_plugin *plugin)
{
    struct parts *parts = owner;

    keep(wire_add_part_plugin(parts->data, parts->capacity, &parts->length, plugin));
}

static void visit_buffer(void *owner, const struct wire_domain_buffer *buffer)
{
    struct parts *parts = owner;

    keep(wire_add_part_buffer(parts->data, parts->capacity, &parts->length, buffer));
}

/* Checks that the visited parts of a domain encode to the same domain. */
static void walk_domain(struct wire_bytes body)
{
    static const struct wire_domain_visitor visitor = {
        visit_part,
        visit_worker,
        visit_plugin,
        visit_buffer,
    };
    struct parts parts = { .data = malloc(body.length + 1), .capacity = body.length };
    struct wire_domain_head head;

    if (parts.data == NULL)
        return;
    parts.length = WIRE_DOMAIN_HEAD_SIZE;
    if (wire_walk_domain(body, &head, &visitor, &parts) == DOCA_SUCCESS) {
        wire_put_domain_head(parts.data, &head);
        if (parts.length != body.length || memcmp(parts.data, body.data, body.length) != 0)
            abort();
    }
    free(parts.data);
}

static void walk(const struct wire_frame *frame)
{
    struct wire_plugin_address address;
    struct wire_plugin plugin;
    size_t offset = 0;
    uint32_t i;

    if (frame->type == WIRE_WELCOME) {
        for (i = 0; wire_welcome_plugin(&frame->welcome, i, &plugin); ++i) {
            if (strlen(plugin.name) >= WIRE_PLUGIN_NAME_SIZE)
                abort();
        }
    } else if (frame->type == WIRE_GROUP) {
        for (i = 0; i < frame->group.count; ++i)
            wire_group_worker(&frame->group, i);
    } else if (frame->type == WIRE_ATTACHED) {
        for (i = 0; wire_next_plugin_address(&frame->attached, &offset, &address); ++i)
            continue;
        if (i != frame->attached.plugin_count)
            abort();
    } else if (frame->type == WIRE_DOMAIN) {
        walk_domain(frame->domain);
    }
}

static void check(const uint8_t *data, size_t size)
{
    struct wire_frame frame;
    uint8_t *again;
    size_t length;

    if (!prefix_agrees(data, size, MAX_MESSAGE_SIZE))
        abort();
    if (decode_any(data, size, MAX_MESSAGE_SIZE, &frame) != DOCA_SUCCESS)
        return;
    walk(&frame);
    again = malloc(size);
    if (again == NULL)
        return;
    if (encode_any(&frame, again, size, &length) != DOCA_SUCCESS || length != size
            || memcmp(data, again, size) != 0)
        abort();
    free(again);
}

/*
 * Decodes the bytes as announcement, verdict and part, and checks that they encode to the same
 * bytes.
 */
static void check_exchanged(const uint8_t *data, size_t size)
{
    uint8_t bytes[WIRE_ANNOUNCEMENT_SIZE] = { 0 }, again[WIRE_ANNOUNCEMENT_SIZE] = { 0 };
    struct wire_announcement announcement;
    doca_error_t verdict;

    memcpy(bytes, data, size < sizeof(bytes) ? size : sizeof(bytes));
    if (wire_get_announcement(bytes, &announcement) == DOCA_SUCCESS) {
        wire_put_announcement(again, &announcement);
        if (memcmp(bytes, again, sizeof(bytes)) != 0)
            abort();
    }
    if (wire_get_verdict(bytes, &verdict) == DOCA_SUCCESS) {
        wire_put_verdict(again, verdict);
        if (memcmp(bytes, again, WIRE_VERDICT_SIZE) != 0)
            abort();
    }
    (void)wire_walk_part((struct wire_bytes){ data, size }, NULL, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t magic[3] = { WIRE_MAGIC & 0xFF, WIRE_MAGIC >> 8, WIRE_VERSION };
    uint8_t *frame;
    uint32_t body;

    if (size == 0)
        return 0;
    body = (uint32_t)size - 1;
    if (data[0] == 0 || data[0] == EXCHANGED) {
        frame = malloc(body > 0 ? body : 1);
        if (frame == NULL)
            return 0;
        memcpy(frame, data + 1, body);
        if (data[0] == 0)
            check(frame, body);
        else
            check_exchanged(frame, body);
    } else {
        frame = calloc(1, WIRE_HEADER_SIZE + body);
        if (frame == NULL)
            return 0;
        memcpy(frame, magic, sizeof(magic));
        frame[3] = data[0];
        memcpy(frame + 4, &body, sizeof(body));
        memcpy(frame + WIRE_HEADER_SIZE, data + 1, body);
        check(frame, WIRE_HEADER_SIZE + body);
    }
    free(frame);
    return 0;
}
