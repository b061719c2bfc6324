/* SPDX-License-Identifier: Apache-2.0 */
#include "frames.h"

#include <string.h>

#include <wire/any_frame.h>
#include <wire/domain.h>

/* The memory to which a frame under construction points. */
struct material {
    uint8_t bytes[PAYLOAD_MAX];
    uint8_t cpu_set[WIRE_CPU_SET_SIZE];
    uint8_t ticket[WIRE_TICKET_SIZE];
};

static struct wire_bytes take_payload(struct input *input, struct material *material)
{
    size_t length = take_number(input, 1) * 2;

    take_bytes(input, material->bytes, length);
    return (struct wire_bytes){ material->bytes, length };
}

static struct wire_bytes text(const char *characters)
{
    return (struct wire_bytes){ (const uint8_t *)characters, strlen(characters) };
}

/* A domain of one worker without plugins, if its counts are valid. */
static struct wire_bytes take_domain(struct input *input, struct material *material)
{
    size_t length = WIRE_DOMAIN_HEAD_SIZE;
    struct wire_domain_head head;

    memset(material->bytes, 0, sizeof(material->bytes));
    head = (struct wire_domain_head){ take_number(input, 1) % 4,
        (uint32_t)take_number(input, 1) % 3 };
    wire_put_domain_head(material->bytes, &head);
    (void)wire_add_part(material->bytes, PAYLOAD_MAX, &length, (uint32_t)take_number(input, 1) % 3,
            (uint32_t)take_number(input, 1) % 3);
    (void)wire_add_part_worker(material->bytes, PAYLOAD_MAX, &length, take_number(input, 1), 0);
    return (struct wire_bytes){ material->bytes, length };
}

/* Returns the number of the pending request, or another number. */
static uint64_t take_request(struct input *input, const struct frame_names *names)
{
    uint8_t kind = (uint8_t)take_number(input, 1);

    return kind < 192 ? names->request - kind % 4 : kind;
}

static void fill_for_host(struct wire_frame *frame, struct input *input,
        const struct frame_names *names, struct material *material)
{
    switch (frame->type) {
    case WIRE_WELCOME:
        frame->welcome = (struct wire_welcome){ .max_message_size = 4096,
            .core_count = 4,
            .plugin_count = (uint32_t)take_number(input, 1) % 4,
            .cpu_set = material->cpu_set };
        frame->welcome.plugins = take_payload(input, material);
        frame->welcome.plugins.length = frame->welcome.plugin_count * WIRE_PLUGIN_SIZE;
        break;
    case WIRE_ERROR:
        frame->error = (struct wire_error){ (doca_error_t)(take_number(input, 1) % 32),
            text("because") };
        break;
    case WIRE_SPAWNED:
        frame->spawned = (struct wire_spawned){ .worker_id = take_number(input, 1) % 4,
            .process_id = 1,
            .flags = (uint32_t)take_number(input, 1) % 8,
            .ticket = names->ticket,
            .address = text(names->address) };
        break;
    case WIRE_WORKER_GONE:
        frame->worker_gone = (struct wire_worker_gone){ take_number(input, 1) % 4,
            (uint32_t)take_number(input, 1), (uint32_t)take_number(input, 1) % 2, text("why") };
        break;
    case WIRE_GROUP:
        frame->group = (struct wire_group){ (uint32_t)take_number(input, 1) % 4, material->bytes };
        break;
    case WIRE_ATTACHED:
        frame->attached = (struct wire_attached){ .connection = take_number(input, 1),
            .plugin_count = (uint32_t)take_number(input, 1) % 3 };
        frame->attached.plugins = take_payload(input, material);
        break;
    default:
        frame->notification = (struct wire_notification){
            (doca_error_t)(take_number(input, 1) % 32), take_payload(input, material)
        };
    }
}

static void fill_for_worker(struct wire_frame *frame, struct input *input,
        const struct frame_names *names, struct material *material)
{
    switch (frame->type) {
    case WIRE_TICKET:
        memcpy(material->ticket, names->ticket, WIRE_TICKET_SIZE);
        material->ticket[0] = (uint8_t)take_number(input, 1) % 4;
        frame->ticket = (struct wire_ticket){ .ticket = material->ticket,
            .session = take_number(input, 1) % 4,
            .lifetime_ms = (uint32_t)take_number(input, 2) };
        break;
    case WIRE_HOST_GONE:
        frame->session = take_number(input, 1) % 4;
        break;
    case WIRE_ATTACH:
        frame->attach.max_tasks = (uint32_t)take_number(input, 1);
        break;
    case WIRE_DOMAIN:
        frame->domain = take_domain(input, material);
        break;
    case WIRE_COMMAND:
        frame->command.plugin = take_number(input, 1) % 8 ? names->plugin : take_length(input);
        frame->command.payload = take_payload(input, material);
        break;
    case WIRE_COMMAND_UNTIL:
        frame->command.plugin = names->plugin;
        frame->command.payload = take_payload(input, material);
        frame->command.deadline = take_number(input, 1) % 2 ? UINT64_MAX : take_length(input);
        break;
    default:
        break;
    }
}

static bool is_for_host(enum wire_type type)
{
    return type == WIRE_WELCOME || type == WIRE_ERROR || type == WIRE_SPAWNED
            || type == WIRE_WORKER_GONE || type == WIRE_GROUP || type == WIRE_ATTACHED
            || type == WIRE_NOTIFICATION;
}

static size_t damage(struct input *input, uint8_t *bytes, size_t length)
{
    if (take_number(input, 1) % 8 != 0 || length == 0)
        return length;
    bytes[take_number(input, 2) % length] ^= (uint8_t)take_number(input, 1);
    return take_number(input, 1) % 2 ? length : take_number(input, 2) % (length + 1);
}

size_t make_frame(struct input *input, const enum wire_type *types, unsigned count,
        const struct frame_names *names, uint8_t bytes[FRAME_MAX])
{
    struct wire_frame frame = { .type = types[take_number(input, 1) % count] };
    static struct material material;
    size_t length = 0;

    frame.request_id = take_request(input, names);
    if (is_for_host(frame.type))
        fill_for_host(&frame, input, names, &material);
    else
        fill_for_worker(&frame, input, names, &material);
    if (encode_any(&frame, bytes, FRAME_MAX, &length) != DOCA_SUCCESS)
        return 0;
    return damage(input, bytes, length);
}
