/* SPDX-License-Identifier: Apache-2.0 */
/* The bodies of the frames that a host receives from its service. */
#include "wire_private.h"

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

    require(body, is_error(status));
    error->status = (doca_error_t)status;
    error->text = take_announced(body, take_u32(body));
    require(body, wire_is_text(error->text.data, error->text.length));
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

void decode_service_body(struct cursor *body, struct wire_frame *frame)
{
    switch (frame->type) {
    case WIRE_WELCOME:
        decode_welcome(body, &frame->welcome);
        break;
    case WIRE_ERROR:
        decode_error(body, &frame->error);
        break;
    case WIRE_SPAWNED:
        decode_spawned(body, &frame->spawned);
        break;
    case WIRE_RELEASED:
        frame->worker_id = take_u64(body);
        break;
    case WIRE_WORKER_GONE:
        decode_worker_gone(body, &frame->worker_gone);
        break;
    case WIRE_GROUP:
        decode_group(body, &frame->group);
        break;
    default:
        body->failed = true;
        break; /* unknown, or for a service */
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
