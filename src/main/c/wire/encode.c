/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encoding of the frames that hosts and workers send. The same code runs twice, first without a
 * destination to determine the length, then to write.
 */
#include "wire_private.h"
#include "writer.h"

static void encode_hello(struct writer *body, const struct wire_hello *hello)
{
    static const uint8_t zeros[WIRE_RELEASE_SIZE];
    size_t length = strnlen(hello->release, WIRE_RELEASE_SIZE);

    put_u32(body, hello->max_message_size);
    put_u32(body, 0);
    put(body, hello->release, length);
    put(body, zeros, WIRE_RELEASE_SIZE - length);
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

static void encode_get_group(struct writer *body, uint32_t group)
{
    put_u32(body, group);
    put_u32(body, 0);
}

static void encode_ready(struct writer *body, const struct wire_ready *ready)
{
    put_u32(body, ready->process_id);
    put_u32(body, 0);
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
    put_u32(body, attached->flags);
    put_u64(body, attached->flags & WIRE_FLAG_DEADLINES ? attached->clock : 0);
    put_bytes(body, &attached->plugins);
}

static void encode_command(struct writer *body, const struct wire_command *command)
{
    put_u64(body, command->plugin);
    put_bytes(body, &command->payload);
}

static void encode_command_until(struct writer *body, const struct wire_command *command)
{
    encode_command(body, command);
    put_u64(body, command->deadline);
}

static void encode_notification(struct writer *body, const struct wire_notification *notification)
{
    put_u32(body, notification->status);
    put_u32(body, 0);
    put_bytes(body, &notification->payload);
}

/* Writes nothing for the frames that only a service sends, which wire_encode() rejects. */
static void put_body(struct writer *body, const struct wire_frame *frame)
{
    switch (frame->type) {
    case WIRE_HELLO:
        encode_hello(body, &frame->hello);
        break;
    case WIRE_ERROR:
        encode_error(body, &frame->error);
        break;
    case WIRE_SPAWN:
        encode_spawn(body, &frame->spawn);
        break;
    case WIRE_RELEASE:
        put_u64(body, frame->worker_id);
        break;
    case WIRE_GET_GROUP:
        encode_get_group(body, frame->get_group);
        break;
    case WIRE_READY:
        encode_ready(body, &frame->ready);
        break;
    case WIRE_LISTENING:
        encode_listening(body, &frame->listening);
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
    case WIRE_COMMAND_UNTIL:
        encode_command_until(body, &frame->command);
        break;
    case WIRE_NOTIFICATION:
        encode_notification(body, &frame->notification);
        break;
    case WIRE_DOMAIN:
        put_bytes(body, &frame->domain);
        break;
    case WIRE_PONG:
    case WIRE_DETACH:
    case WIRE_DETACHED:
    case WIRE_DOMAIN_READY:
    case WIRE_CANCEL:
    case WIRE_WELCOME:
    case WIRE_SPAWNED:
    case WIRE_RELEASED:
    case WIRE_WORKER_GONE:
    case WIRE_GROUP:
    case WIRE_LAUNCH:
    case WIRE_CONFIGURE:
    case WIRE_TICKET:
    case WIRE_HOST_GONE:
    case WIRE_PING:
    case WIRE_DRAIN:
        break;
    }
}

/* Returns whether a host or a worker sends this frame, and the receiver accepts its fields. */
static bool is_sendable(const struct wire_frame *frame)
{
    const struct wire_bytes *text = &frame->error.text;
    const struct wire_spawn *spawn = &frame->spawn;

    switch (frame->type) {
    case WIRE_HELLO:
        return frame->hello.release[0] != '\0'
                && strnlen(frame->hello.release, WIRE_RELEASE_SIZE) < WIRE_RELEASE_SIZE;
    case WIRE_ERROR:
        return is_error(frame->error.status) && wire_is_text(text->data, text->length);
    case WIRE_SPAWN:
        return is_environment(&spawn->environment, spawn->environment_count)
                && !(spawn->flags & WIRE_FLAG_HAS_ENVIRONMENT) == (spawn->environment_count == 0);
    case WIRE_LISTENING:
        return frame->listening.port > 0 && frame->listening.port <= WIRE_PORT_MAX;
    case WIRE_RELEASE:
    case WIRE_GET_GROUP:
    case WIRE_READY:
    case WIRE_PONG:
    case WIRE_ATTACH:
    case WIRE_ATTACHED:
    case WIRE_COMMAND:
    case WIRE_NOTIFICATION:
    case WIRE_DETACH:
    case WIRE_DETACHED:
    case WIRE_DOMAIN:
    case WIRE_DOMAIN_READY:
    case WIRE_COMMAND_UNTIL:
    case WIRE_CANCEL:
        return true;
    case WIRE_WELCOME:
    case WIRE_SPAWNED:
    case WIRE_RELEASED:
    case WIRE_WORKER_GONE:
    case WIRE_GROUP:
    case WIRE_LAUNCH:
    case WIRE_CONFIGURE:
    case WIRE_TICKET:
    case WIRE_HOST_GONE:
    case WIRE_PING:
    case WIRE_DRAIN:
        return false;
    }
    return false;
}

/* Uses 8-byte stores: a copy of the frame that follows would stall on smaller ones. */
static void store_header(uint8_t *data, enum wire_type type, uint64_t request_id, size_t body)
{
    store_u64(data, WIRE_START(type) | (uint64_t)(uint32_t)body << 32);
    store_u64(data + 8, request_id);
}

doca_error_t encode_frame(const struct wire_frame *frame, body_writer *write_body, uint8_t *data,
        size_t capacity, size_t *length)
{
    struct writer body = { 0 };
    size_t whole;

    write_body(&body, frame);
    if (body.length > UINT32_MAX - WIRE_HEADER_SIZE)
        return DOCA_ERROR_INVALID_VALUE;
    *length = WIRE_HEADER_SIZE + body.length;
    if (*length > capacity)
        return DOCA_ERROR_TOO_BIG;

    store_header(data, frame->type, frame->request_id, body.length);
    body = (struct writer){ .data = data + WIRE_HEADER_SIZE };
    write_body(&body, frame);
    return wire_frame_length(data, SIZE_MAX, &whole) == DOCA_SUCCESS ? DOCA_SUCCESS
                                                                     : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t wire_encode(
        const struct wire_frame *frame, uint8_t *data, size_t capacity, size_t *length)
{
    return is_sendable(frame) ? encode_frame(frame, put_body, data, capacity, length)
                              : DOCA_ERROR_INVALID_VALUE;
}

void wire_put_command(uint8_t *prefix, uint64_t request_id, uint64_t plugin, size_t payload)
{
    store_header(prefix, WIRE_COMMAND, request_id, 8 + payload);
    store_u64(prefix + 16, plugin);
}

void wire_put_command_until(
        uint8_t *prefix, uint64_t request_id, uint64_t plugin, size_t payload, uint64_t deadline)
{
    store_header(prefix, WIRE_COMMAND_UNTIL, request_id, 8 + payload + WIRE_DEADLINE_SIZE);
    store_u64(prefix + 16, plugin);
    store_u64(prefix + WIRE_PREFIX_SIZE + payload, deadline);
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
