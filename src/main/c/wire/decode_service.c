/* SPDX-License-Identifier: Apache-2.0 */
/* The bodies of frames between host and service: types 1 to 12. */
#include <string.h>

#include "wire_private.h"

/* Returns whether this field of `size` bytes is a non-empty text, padded with at least one NUL. */
static bool is_name(const uint8_t *name, size_t size)
{
    size_t length = strnlen((const char *)name, size);

    return length > 0 && length < size && wire_is_text(name, length)
            && is_zero(name + length, size - length);
}

static void decode_hello(struct cursor *body, struct wire_hello *hello)
{
    const uint8_t *release;

    hello->max_message_size = take_u32(body);
    require(body, take_u32(body) == 0);
    release = take(body, WIRE_RELEASE_SIZE);
    require(body, is_name(release, WIRE_RELEASE_SIZE));
    hello->release = (const char *)release;
}

static void decode_welcome(struct cursor *body, struct wire_welcome *welcome)
{
    size_t at;

    welcome->max_message_size = take_u32(body);
    welcome->core_count = take_u32(body);
    welcome->plugin_count = take_u32(body);
    require(body, take_u32(body) == 0);
    welcome->cpu_set = take(body, WIRE_CPU_SET_SIZE);
    welcome->plugins = take_rest(body);
    if (welcome->plugins.length != (uint64_t)welcome->plugin_count * WIRE_PLUGIN_SIZE) {
        body->failed = true;
        return;
    }
    for (at = 0; at < welcome->plugins.length; at += WIRE_PLUGIN_SIZE)
        require(body, is_name(welcome->plugins.data + at + 16, WIRE_PLUGIN_NAME_SIZE));
}

static void decode_error(struct cursor *body, struct wire_error *error)
{
    uint32_t status = take_u32(body);

    require(body, status >= DOCA_ERROR_UNKNOWN && status <= DOCA_ERROR_SKIPPED);
    error->status = (doca_error_t)status;
    error->text = take_announced(body, take_u32(body));
    require(body, wire_is_text(error->text.data, error->text.length));
}

static void decode_spawn(struct cursor *body, struct wire_spawn *spawn)
{
    const uint32_t known = WIRE_FLAG_HAS_GROUP | WIRE_FLAG_HAS_CPU_SET | WIRE_FLAG_HAS_ENVIRONMENT;

    spawn->worker_id = take_u64(body);
    spawn->plugins = take_u64(body);
    spawn->flags = take_u32(body);
    require(body, (spawn->flags & ~known) == 0);
    spawn->group = take_group(body, spawn->flags & WIRE_FLAG_HAS_GROUP);
    spawn->cpu_set = take_cpu_set(body, spawn->flags & WIRE_FLAG_HAS_CPU_SET);
    spawn->environment_count = take_u32(body);
    spawn->environment = take_announced(body, take_u32(body));
    require(body, is_environment(&spawn->environment, spawn->environment_count));
    require(body,
            ((spawn->flags & WIRE_FLAG_HAS_ENVIRONMENT) != 0) == (spawn->environment_count > 0));
}

static void decode_spawned(struct cursor *body, struct wire_spawned *spawned)
{
    uint32_t address_length;

    spawned->worker_id = take_u64(body);
    spawned->process_id = take_u32(body);
    spawned->flags = take_u32(body);
    require(body,
            (spawned->flags
                    & ~(uint32_t)(WIRE_FLAG_HAS_GROUP | WIRE_FLAG_NEW_PROCESS
                            | WIRE_FLAG_OFFERS_UCX))
                    == 0);
    spawned->group = take_group(body, spawned->flags & WIRE_FLAG_HAS_GROUP);
    address_length = take_u32(body);
    spawned->ticket = take(body, WIRE_TICKET_SIZE);
    spawned->address = take_announced(body, address_length);
    require(body,
            spawned->address.length > 0
                    && wire_is_text(spawned->address.data, spawned->address.length));
}

static void decode_worker_gone(struct cursor *body, struct wire_worker_gone *gone)
{
    uint32_t text_length;

    gone->worker_id = take_u64(body);
    gone->exit_status = take_u32(body);
    gone->flags = take_u32(body);
    require(body, (gone->flags & ~(uint32_t)WIRE_FLAG_UNRESPONSIVE) == 0);
    text_length = take_u32(body);
    require(body, take_u32(body) == 0);
    gone->text = take_announced(body, text_length);
    require(body, wire_is_text(gone->text.data, gone->text.length));
}

static void decode_group(struct cursor *body, struct wire_group *group)
{
    struct wire_bytes ids;

    group->count = take_u32(body);
    require(body, take_u32(body) == 0);
    ids = take_rest(body);
    require(body, ids.length == (uint64_t)group->count * 8);
    group->worker_ids = ids.data;
}

static void decode_get_group(struct cursor *body, uint32_t *group)
{
    *group = take_u32(body);
    require(body, take_u32(body) == 0);
}

void decode_service_body(struct cursor *body, struct wire_frame *frame)
{
    switch (frame->type) {
    case WIRE_HELLO:
        decode_hello(body, &frame->hello);
        break;
    case WIRE_WELCOME:
        decode_welcome(body, &frame->welcome);
        break;
    case WIRE_ERROR:
        decode_error(body, &frame->error);
        break;
    case WIRE_SPAWN:
        decode_spawn(body, &frame->spawn);
        break;
    case WIRE_SPAWNED:
        decode_spawned(body, &frame->spawned);
        break;
    case WIRE_RELEASE:
    case WIRE_RELEASED:
        frame->worker_id = take_u64(body);
        break;
    case WIRE_WORKER_GONE:
        decode_worker_gone(body, &frame->worker_gone);
        break;
    case WIRE_GET_GROUP:
        decode_get_group(body, &frame->get_group);
        break;
    case WIRE_GROUP:
        decode_group(body, &frame->group);
        break;
    default:
        body->failed = true;
        break; /* unknown type */
    }
}

bool wire_welcome_plugin(
        const struct wire_welcome *welcome, uint32_t index, struct wire_plugin *plugin)
{
    const uint8_t *record;

    if (index >= welcome->plugin_count)
        return false;
    record = welcome->plugins.data + (size_t)index * WIRE_PLUGIN_SIZE;
    plugin->id = load_u64(record);
    plugin->version = load_u64(record + 8);
    plugin->name = (const char *)record + 16;
    return true;
}

uint64_t wire_group_worker(const struct wire_group *group, uint32_t index)
{
    return load_u64(group->worker_ids + (size_t)index * 8);
}
