/* SPDX-License-Identifier: Apache-2.0 */
#include "any_frame.h"

#include <wire/wire_private.h>
#include <wire/writer.h>

static void encode_welcome(struct writer *body, const struct wire_welcome *welcome)
{
    put_u32(body, welcome->max_message_size);
    put_u32(body, welcome->core_count);
    put_u32(body, welcome->plugin_count);
    put_u32(body, 0);
    put(body, welcome->cpu_set, WIRE_CPU_SET_SIZE);
    put_bytes(body, &welcome->plugins);
}

static void encode_spawned(struct writer *body, const struct wire_spawned *spawned)
{
    put_u64(body, spawned->worker_id);
    put_u32(body, spawned->process_id);
    put_u32(body, spawned->flags);
    put_u32(body, spawned->flags & WIRE_FLAG_HAS_GROUP ? spawned->group : 0);
    put_u32(body, (uint32_t)spawned->address.length);
    put(body, spawned->ticket, WIRE_TICKET_SIZE);
    put_bytes(body, &spawned->address);
}

static void encode_worker_gone(struct writer *body, const struct wire_worker_gone *gone)
{
    put_u64(body, gone->worker_id);
    put_u32(body, gone->exit_status);
    put_u32(body, gone->flags);
    put_u32(body, (uint32_t)gone->text.length);
    put_u32(body, 0);
    put_bytes(body, &gone->text);
}

static void encode_group(struct writer *body, const struct wire_group *group)
{
    put_u32(body, group->count);
    put_u32(body, 0);
    put(body, group->worker_ids, (size_t)group->count * 8);
}

static void encode_launch(struct writer *body, const struct wire_launch *launch)
{
    bool change = launch->flags & WIRE_FLAG_CHANGE_USER;
    bool listen = launch->flags & WIRE_FLAG_LISTEN;

    put_u32(body, change ? launch->user_id : 0);
    put_u32(body, change ? launch->group_id : 0);
    put_u32(body, launch->flags);
    put_u32(body, 0);
    put_u64(body, launch->capabilities);
    put_u32(body, launch->limit_count);
    put_u32(body, listen ? (uint32_t)launch->socket_path.length : 0);
    put_u32(body, (uint32_t)launch->cgroup.length);
    put_u32(body, 0);
    put_u32(body, launch->environment_count);
    put_u32(body, (uint32_t)launch->environment.length);
    put(body, launch->limits, (size_t)launch->limit_count * 8);
    if (listen)
        put_bytes(body, &launch->socket_path);
    put_bytes(body, &launch->cgroup);
    put_bytes(body, &launch->environment);
}

static void encode_configure(struct writer *body, const struct wire_configure *configure)
{
    put_u64(body, configure->worker_id);
    put_u32(body, configure->max_message_size);
    put_u32(body, configure->flags);
    put_cpu_set(body, configure->cpu_set, configure->flags & WIRE_FLAG_HAS_CPU_SET);
}

static void encode_ticket(struct writer *body, const struct wire_ticket *ticket)
{
    bool over_tcp = ticket->flags & WIRE_FLAG_OVER_TCP;

    put(body, ticket->ticket, WIRE_TICKET_SIZE);
    put_u64(body, ticket->session);
    put_u32(body, ticket->lifetime_ms);
    put_u32(body, ticket->flags);
    put_u32(body, over_tcp ? ticket->port_low : 0);
    put_u32(body, over_tcp ? ticket->port_high : 0);
    put_u32(body, over_tcp ? (uint32_t)ticket->address.length : 0);
    put_u32(body, 0);
    if (over_tcp)
        put_bytes(body, &ticket->address);
}

static void put_body(struct writer *body, const struct wire_frame *frame)
{
    switch (frame->type) {
    case WIRE_WELCOME:
        encode_welcome(body, &frame->welcome);
        break;
    case WIRE_SPAWNED:
        encode_spawned(body, &frame->spawned);
        break;
    case WIRE_RELEASED:
        put_u64(body, frame->worker_id);
        break;
    case WIRE_WORKER_GONE:
        encode_worker_gone(body, &frame->worker_gone);
        break;
    case WIRE_GROUP:
        encode_group(body, &frame->group);
        break;
    case WIRE_LAUNCH:
        encode_launch(body, &frame->launch);
        break;
    case WIRE_CONFIGURE:
        encode_configure(body, &frame->configure);
        break;
    case WIRE_TICKET:
        encode_ticket(body, &frame->ticket);
        break;
    case WIRE_HOST_GONE:
        put_u64(body, frame->session);
        break;
    default: /* PING and DRAIN have no body */
        break;
    }
}

static bool is_sent_by_service(enum wire_type type)
{
    return type == WIRE_WELCOME || type == WIRE_SPAWNED || type == WIRE_RELEASED
            || type == WIRE_WORKER_GONE || type == WIRE_GROUP || type == WIRE_LAUNCH
            || type == WIRE_CONFIGURE || type == WIRE_TICKET || type == WIRE_HOST_GONE
            || type == WIRE_PING || type == WIRE_DRAIN;
}

doca_error_t encode_any(
        const struct wire_frame *frame, uint8_t *data, size_t capacity, size_t *length)
{
    struct wire_frame written;
    doca_error_t status;

    if (!is_sent_by_service(frame->type))
        return wire_encode(frame, data, capacity, length);
    status = encode_frame(frame, put_body, data, capacity, length);
    if (status != DOCA_SUCCESS)
        return status;
    return wire_decode(data, *length, SIZE_MAX, &written) == DOCA_SUCCESS
            ? DOCA_SUCCESS
            : DOCA_ERROR_INVALID_VALUE;
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

static void decode_get_group(struct cursor *body, uint32_t *group)
{
    *group = take_u32(body);
    require(body, take_u32(body) == 0);
}

static void decode_ready(struct cursor *body, struct wire_ready *ready)
{
    ready->process_id = take_u32(body);
    require(body, take_u32(body) == 0);
}

static void decode_listening(struct cursor *body, struct wire_listening *listening)
{
    listening->port = take_u32(body);
    require(body, listening->port > 0 && listening->port <= WIRE_PORT_MAX);
    require(body, take_u32(body) == 0);
}

static bool is_received_by_service(enum wire_type type)
{
    return type == WIRE_HELLO || type == WIRE_SPAWN || type == WIRE_RELEASE
            || type == WIRE_GET_GROUP || type == WIRE_READY || type == WIRE_LISTENING
            || type == WIRE_PONG;
}

static void take_body(struct cursor *body, struct wire_frame *frame)
{
    switch (frame->type) {
    case WIRE_HELLO:
        decode_hello(body, &frame->hello);
        break;
    case WIRE_SPAWN:
        decode_spawn(body, &frame->spawn);
        break;
    case WIRE_RELEASE:
        frame->worker_id = take_u64(body);
        break;
    case WIRE_GET_GROUP:
        decode_get_group(body, &frame->get_group);
        break;
    case WIRE_READY:
        decode_ready(body, &frame->ready);
        break;
    case WIRE_LISTENING:
        decode_listening(body, &frame->listening);
        break;
    default: /* PONG has no body */
        break;
    }
}

doca_error_t decode_any(
        const uint8_t *data, size_t length, size_t max_message_size, struct wire_frame *frame)
{
    doca_error_t status = decode_header(data, length, max_message_size, frame);
    struct cursor body;

    if (status != DOCA_SUCCESS || !is_received_by_service(frame->type))
        return wire_decode(data, length, max_message_size, frame);
    body = (struct cursor){ data + WIRE_HEADER_SIZE, length - WIRE_HEADER_SIZE, false };
    take_body(&body, frame);
    return body.failed || body.left > 0 ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}
