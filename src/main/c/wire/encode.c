/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encoding of frames. The same code runs twice, first without a destination to determine the
 * length, then to write. The result is decoded again, so that no frame is sent that the receiver
 * would reject.
 */
#include "writer.h"

/* Writes zeros for an absent CPU set. */
static void put_cpu_set(struct writer *writer, const uint8_t *cpu_set, bool given)
{
    static const uint8_t none[WIRE_CPU_SET_SIZE];

    put(writer, given ? cpu_set : none, WIRE_CPU_SET_SIZE);
}

static void encode_hello(struct writer *body, const struct wire_hello *hello)
{
    static const uint8_t zeros[WIRE_RELEASE_SIZE];
    size_t length = strnlen(hello->release, WIRE_RELEASE_SIZE);

    put_u32(body, hello->max_message_size);
    put_u32(body, 0);
    put(body, hello->release, length);
    put(body, zeros, WIRE_RELEASE_SIZE - length);
}

static void encode_welcome(struct writer *body, const struct wire_welcome *welcome)
{
    put_u32(body, welcome->max_message_size);
    put_u32(body, welcome->core_count);
    put_u32(body, welcome->plugin_count);
    put_u32(body, 0);
    put(body, welcome->cpu_set, WIRE_CPU_SET_SIZE);
    put_bytes(body, &welcome->plugins);
}

static void encode_error(struct writer *body, const struct wire_error *error)
{
    put_u32(body, error->status);
    put_u32(body, (uint32_t)error->text.length);
    put_bytes(body, &error->text);
}

static void encode_spawn(struct writer *body, const struct wire_spawn *spawn)
{
    put_u64(body, spawn->worker_id);
    put_u64(body, spawn->plugins);
    put_u32(body, spawn->flags);
    put_u32(body, spawn->flags & WIRE_FLAG_HAS_GROUP ? spawn->group : 0);
    put_cpu_set(body, spawn->cpu_set, spawn->flags & WIRE_FLAG_HAS_CPU_SET);
    put_u32(body, spawn->environment_count);
    put_u32(body, (uint32_t)spawn->environment.length);
    put_bytes(body, &spawn->environment);
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

static void encode_get_group(struct writer *body, uint32_t group)
{
    put_u32(body, group);
    put_u32(body, 0);
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

static void encode_ready(struct writer *body, const struct wire_ready *ready)
{
    put_u32(body, ready->process_id);
    put_u32(body, 0);
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

static void encode_listening(struct writer *body, const struct wire_listening *listening)
{
    put_u32(body, listening->port);
    put_u32(body, 0);
}

static void encode_attach(struct writer *body, const struct wire_attach *attach)
{
    put_u32(body, attach->max_tasks);
    put_u32(body, 0);
}

static void encode_attached(struct writer *body, const struct wire_attached *attached)
{
    put_u64(body, attached->connection);
    put_u32(body, attached->plugin_count);
    put_u32(body, 0);
    put_bytes(body, &attached->plugins);
}

static void encode_command(struct writer *body, const struct wire_command *command)
{
    put_u64(body, command->plugin);
    put_bytes(body, &command->payload);
}

static void encode_notification(struct writer *body, const struct wire_notification *notification)
{
    put_u32(body, notification->status);
    put_u32(body, 0);
    put_bytes(body, &notification->payload);
}

static void encode_body(struct writer *body, const struct wire_frame *frame)
{
    switch (frame->type) {
    case WIRE_HELLO:
        encode_hello(body, &frame->hello);
        break;
    case WIRE_WELCOME:
        encode_welcome(body, &frame->welcome);
        break;
    case WIRE_ERROR:
        encode_error(body, &frame->error);
        break;
    case WIRE_SPAWN:
        encode_spawn(body, &frame->spawn);
        break;
    case WIRE_SPAWNED:
        encode_spawned(body, &frame->spawned);
        break;
    case WIRE_RELEASE:
    case WIRE_RELEASED:
        put_u64(body, frame->worker_id);
        break;
    case WIRE_WORKER_GONE:
        encode_worker_gone(body, &frame->worker_gone);
        break;
    case WIRE_GET_GROUP:
        encode_get_group(body, frame->get_group);
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
    case WIRE_READY:
        encode_ready(body, &frame->ready);
        break;
    case WIRE_TICKET:
        encode_ticket(body, &frame->ticket);
        break;
    case WIRE_LISTENING:
        encode_listening(body, &frame->listening);
        break;
    case WIRE_HOST_GONE:
        put_u64(body, frame->session);
        break;
    case WIRE_ATTACH:
        encode_attach(body, &frame->attach);
        break;
    case WIRE_ATTACHED:
        encode_attached(body, &frame->attached);
        break;
    case WIRE_COMMAND:
        encode_command(body, &frame->command);
        break;
    case WIRE_NOTIFICATION:
        encode_notification(body, &frame->notification);
        break;
    case WIRE_DOMAIN:
        put_bytes(body, &frame->domain);
        break;
    case WIRE_PING:
    case WIRE_PONG:
    case WIRE_DRAIN:
    case WIRE_DETACH:
    case WIRE_DETACHED:
    case WIRE_DOMAIN_READY:
        break;
    }
}

/* Uses 8-byte stores: a copy of the frame that follows would stall on smaller ones. */
static void store_header(uint8_t *data, enum wire_type type, uint64_t request_id, size_t body)
{
    store_u64(data, WIRE_START(type) | (uint64_t)(uint32_t)body << 32);
    store_u64(data + 8, request_id);
}

doca_error_t wire_encode(
        const struct wire_frame *frame, uint8_t *data, size_t capacity, size_t *length)
{
    struct writer body = { 0 };
    struct wire_frame written;

    encode_body(&body, frame);
    if (body.length > UINT32_MAX - WIRE_HEADER_SIZE)
        return DOCA_ERROR_INVALID_VALUE;
    *length = WIRE_HEADER_SIZE + body.length;
    if (*length > capacity)
        return DOCA_ERROR_TOO_BIG;

    store_header(data, frame->type, frame->request_id, body.length);
    body = (struct writer){ .data = data + WIRE_HEADER_SIZE };
    encode_body(&body, frame);
    return wire_decode(data, *length, SIZE_MAX, &written) == DOCA_SUCCESS
            ? DOCA_SUCCESS
            : DOCA_ERROR_INVALID_VALUE;
}

void wire_put_command(uint8_t *prefix, uint64_t request_id, uint64_t plugin, size_t payload)
{
    store_header(prefix, WIRE_COMMAND, request_id, 8 + payload);
    store_u64(prefix + 16, plugin);
}

void wire_put_notification(
        uint8_t *prefix, uint64_t request_id, doca_error_t status, size_t payload)
{
    store_header(prefix, WIRE_NOTIFICATION, request_id, 8 + payload);
    store_u64(prefix + 16, (uint32_t)status);
}

doca_error_t wire_add_plugin_address(
        uint8_t *data, size_t capacity, size_t *length, const struct wire_plugin_address *address)
{
    struct writer writer = { data, *length };

    if (*length > capacity || capacity - *length < 16
            || address->address.length > capacity - *length - 16)
        return DOCA_ERROR_TOO_BIG;
    put_u64(&writer, address->plugin);
    put_u32(&writer, (uint32_t)address->address.length);
    put_u32(&writer, 0);
    put_bytes(&writer, &address->address);
    *length = writer.length;
    return DOCA_SUCCESS;
}
