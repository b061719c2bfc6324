/* SPDX-License-Identifier: Apache-2.0 */
/* The bodies of frames to and from a worker: its service's, types 20 and up, and its hosts'. */
#include "cursor.h"

static void decode_configure(struct cursor *body, struct wire_configure *configure)
{
    configure->token = take(body, WIRE_TOKEN_SIZE);
    configure->worker_id = take_u64(body);
    configure->max_message_size = take_u32(body);
    configure->flags = take_u32(body);
    require(body, (configure->flags & ~(uint32_t)WIRE_FLAG_HAS_CPU_SET) == 0);
    configure->cpu_set = take_cpu_set(body, configure->flags & WIRE_FLAG_HAS_CPU_SET);
}

static void decode_ready(struct cursor *body, struct wire_ready *ready)
{
    ready->process_id = take_u32(body);
    ready->address = take_announced(body, take_u32(body));
    require(body, ready->address.length > 0);
}

static void decode_attach(struct cursor *body, struct wire_attach *attach)
{
    uint32_t address_length;

    attach->token = take(body, WIRE_TOKEN_SIZE);
    address_length = take_u32(body);
    attach->max_tasks = take_u32(body);
    attach->address = take_announced(body, address_length);
    require(body, address_length > 0);
}

static void take_plugin_address(struct cursor *body, struct wire_plugin_address *address)
{
    uint32_t length;

    address->plugin = take_u64(body);
    length = take_u32(body);
    require(body, take_u32(body) == 0);
    address->address.data = take(body, length);
    address->address.length = body->failed ? 0 : length;
}

static void decode_attached(struct cursor *body, struct wire_attached *attached)
{
    struct wire_plugin_address address;
    struct cursor records;
    uint32_t count = 0;

    attached->connection = take_u32(body);
    attached->plugin_count = take_u32(body);
    attached->plugins = take_rest(body);
    records = (struct cursor){.next = attached->plugins.data, .left = attached->plugins.length};
    while (records.left > 0) {
        take_plugin_address(&records, &address);
        count++;
    }
    require(body, !records.failed && count == attached->plugin_count);
}

static void decode_command(struct cursor *body, struct wire_command *command)
{
    command->plugin = take_u64(body);
    command->payload = take_rest(body);
}

/* The status is the plugin's own: any number is let through. */
static void decode_notification(struct cursor *body, struct wire_notification *notification)
{
    notification->status = (doca_error_t)take_u32(body);
    require(body, take_u32(body) == 0);
    notification->payload = take_rest(body);
}

void decode_worker_body(struct cursor *body, struct wire_frame *frame)
{
    switch (frame->type) {
    case WIRE_CONFIGURE:    decode_configure(body, &frame->configure); break;
    case WIRE_READY:        decode_ready(body, &frame->ready); break;
    case WIRE_ATTACH:       decode_attach(body, &frame->attach); break;
    case WIRE_ATTACHED:     decode_attached(body, &frame->attached); break;
    case WIRE_COMMAND:      decode_command(body, &frame->command); break;
    case WIRE_NOTIFICATION: decode_notification(body, &frame->notification); break;
    case WIRE_DOMAIN:       frame->domain = take_rest(body); break;
    case WIRE_DETACH:
    case WIRE_DETACHED:
    case WIRE_DOMAIN_READY: break;
    default:                body->failed = true; break; /* a type that nobody knows */
    }
}

bool wire_next_plugin_address(const struct wire_attached *attached, size_t *offset,
        struct wire_plugin_address *address)
{
    struct cursor records;

    if (*offset >= attached->plugins.length)
        return false;
    records = (struct cursor){attached->plugins.data + *offset,
        attached->plugins.length - *offset, false};
    take_plugin_address(&records, address);
    *offset = attached->plugins.length - records.left;
    return !records.failed;
}
