/* SPDX-License-Identifier: Apache-2.0 */
/* The bodies of frames between host and worker: types 30 to 39. */
#include "wire_private.h"

static void decode_attach(struct cursor *body, struct wire_attach *attach)
{
    attach->max_tasks = take_u32(body);
    require(body, take_u32(body) == 0);
}

static void take_plugin_address(struct cursor *body, struct wire_plugin_address *address)
{
    address->plugin = take_u64(body);
    address->address.length = take_u32(body);
    require(body, take_u32(body) == 0);
    take_run(body, &address->address);
}

static void decode_attached(struct cursor *body, struct wire_attached *attached)
{
    struct wire_plugin_address address;
    struct cursor records;
    uint32_t count = 0;

    attached->connection = take_u64(body);
    attached->plugin_count = take_u32(body);
    attached->flags = take_u32(body);
    require(body, (attached->flags & ~(uint32_t)WIRE_FLAG_DEADLINES) == 0);
    attached->clock = take_u64(body);
    require(body, (attached->flags & WIRE_FLAG_DEADLINES) || attached->clock == 0);
    attached->plugins = take_rest(body);
    records = (struct cursor){ .next = attached->plugins.data, .left = attached->plugins.length };
    while (records.left > 0) {
        take_plugin_address(&records, &address);
        count++;
    }
    require(body, !records.failed && count == attached->plugin_count);
}

/* The deadline is the last part of the payload, which may not have arrived. */
static doca_error_t decode_command_until(
        const uint8_t *fields, struct wire_bytes payload, struct wire_command *command)
{
    if (payload.length < WIRE_DEADLINE_SIZE)
        return DOCA_ERROR_INVALID_VALUE;
    payload.length -= WIRE_DEADLINE_SIZE;
    command->plugin = load_u64(fields);
    command->payload = payload;
    command->deadline = payload.data == NULL ? 0 : load_u64(payload.data + payload.length);
    return DOCA_SUCCESS;
}

uint64_t wire_command_deadline(const uint8_t *body, size_t length)
{
    return load_u64(body + length - WIRE_DEADLINE_SIZE);
}

/* Accepts any status of a notification, because plugins define their own. */
doca_error_t decode_host_prefix(
        const uint8_t *fields, struct wire_bytes payload, struct wire_frame *frame)
{
    if (frame->type == WIRE_COMMAND) {
        frame->command = (struct wire_command){ .plugin = load_u64(fields), .payload = payload };
        return DOCA_SUCCESS;
    }
    if (frame->type == WIRE_COMMAND_UNTIL)
        return decode_command_until(fields, payload, &frame->command);
    frame->notification.status = (doca_error_t)load_u32(fields);
    frame->notification.payload = payload;
    return load_u32(fields + 4) == 0 ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static void decode_with_payload(struct cursor *body, struct wire_frame *frame)
{
    const uint8_t *fields = take(body, WIRE_PREFIX_SIZE - WIRE_HEADER_SIZE);

    require(body, decode_host_prefix(fields, take_rest(body), frame) == DOCA_SUCCESS);
}

void decode_host_body(struct cursor *body, struct wire_frame *frame)
{
    switch (frame->type) {
    case WIRE_ATTACH:
        decode_attach(body, &frame->attach);
        break;
    case WIRE_ATTACHED:
        decode_attached(body, &frame->attached);
        break;
    case WIRE_COMMAND:
    case WIRE_NOTIFICATION:
    case WIRE_COMMAND_UNTIL:
        decode_with_payload(body, frame);
        break;
    case WIRE_DOMAIN:
        frame->domain = take_rest(body);
        break;
    case WIRE_DETACH:
    case WIRE_DETACHED:
    case WIRE_DOMAIN_READY:
    case WIRE_CANCEL:
        break;
    default:
        body->failed = true;
        break; /* unknown type */
    }
}

bool wire_next_plugin_address(
        const struct wire_attached *attached, size_t *offset, struct wire_plugin_address *address)
{
    struct cursor records;

    if (*offset >= attached->plugins.length)
        return false;
    records = (struct cursor){ attached->plugins.data + *offset, attached->plugins.length - *offset,
        false };
    take_plugin_address(&records, address);
    *offset = attached->plugins.length - records.left;
    return !records.failed;
}
