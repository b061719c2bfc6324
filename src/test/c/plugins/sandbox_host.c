/* SPDX-License-Identifier: Apache-2.0 */
/* Encoding of sandbox commands as described in docs/plugin-protocols.md. */
#include <stdlib.h>
#include <string.h>

#include "sandbox_host.h"

/* Sends a command with bytes after its struct. */
static uint64_t give(struct instance *instance, uint64_t host,
        const struct urom_worker_sandbox_cmd *command, const void *bytes, size_t length)
{
    uint8_t *packed = malloc(sizeof(*command) + length);
    uint64_t context;

    assert_non_null(packed);
    memcpy(packed, command, sizeof(*command));
    if (length > 0)
        memcpy(packed + sizeof(*command), bytes, length);
    assert_success(instance_command(instance, host, packed, sizeof(*command) + length, &context));
    free(packed);
    return context;
}

uint64_t send_inline(
        struct instance *instance, uint64_t dest, uint64_t tag, const void *bytes, size_t length)
{
    struct urom_worker_sandbox_cmd command = {
        .type = UROM_WORKER_CMD_SANDBOX_TAG_SEND,
        .tag_send = { .context = CALLER, .dest = dest, .count = length, .tag = tag },
    };

    return give(instance, HOST, &command, bytes, length);
}

uint64_t send_mapped(struct instance *instance, uint64_t dest, uint64_t tag, const void *address,
        size_t length, uint64_t memh_id)
{
    struct urom_worker_sandbox_cmd command = {
        .type = UROM_WORKER_CMD_SANDBOX_TAG_SEND,
        .tag_send = {
            .context = CALLER,
            .dest = dest,
            .buffer = (uint64_t)address,
            .count = length,
            .tag = tag,
            .memh_id = memh_id,
        },
    };

    return give(instance, HOST, &command, NULL, 0);
}

uint64_t receive_inline(struct instance *instance, uint64_t tag, uint64_t mask, size_t room)
{
    struct urom_worker_sandbox_cmd command = {
        .type = UROM_WORKER_CMD_SANDBOX_TAG_RECV,
        .tag_recv = { .context = CALLER, .count = room, .tag = tag, .tag_mask = mask },
    };

    return give(instance, HOST, &command, NULL, 0);
}

uint64_t receive_mapped(
        struct instance *instance, uint64_t tag, void *address, size_t room, uint64_t memh_id)
{
    struct urom_worker_sandbox_cmd command = {
        .type = UROM_WORKER_CMD_SANDBOX_TAG_RECV,
        .tag_recv = {
            .context = CALLER,
            .buffer = (uint64_t)address,
            .count = room,
            .tag = tag,
            .tag_mask = UINT64_MAX,
            .memh_id = memh_id,
        },
    };

    return give(instance, HOST, &command, NULL, 0);
}

uint64_t map_exported(struct instance *instance, uint64_t host, const void *address, size_t length,
        const void *exported, size_t exported_length)
{
    struct urom_worker_sandbox_cmd command = {
        .type = UROM_WORKER_CMD_SANDBOX_MEM_MAP,
        .mem_map = {
            .context = CALLER,
            .map_params = {
                .field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH,
                .address = (void *)address,
                .length = length,
            },
            .exported_memh_buffer_len = exported_length,
        },
    };

    return give(instance, host, &command, exported, exported_length);
}

uint64_t map(struct instance *instance, uint64_t host, const struct host_memory *memory,
        const void *address, size_t length)
{
    uint32_t head[4] = { 0x414D524A, 1, (uint32_t)memory->address_length,
        (uint32_t)memory->key_length };
    size_t exported_length = sizeof(head) + memory->address_length + memory->key_length;
    uint8_t *exported = malloc(exported_length);
    uint64_t context;

    assert_non_null(exported);
    memcpy(exported, head, sizeof(head));
    memcpy(exported + sizeof(head), memory->address, memory->address_length);
    memcpy(exported + sizeof(head) + memory->address_length, memory->key, memory->key_length);
    context = map_exported(instance, host, address, length, exported, exported_length);
    free(exported);
    return context;
}

uint64_t map_all(struct instance *instance, const struct host_memory *memory)
{
    struct outcome outcome = await_outcome(instance,
            map(instance, HOST, memory, memory->region, memory->length),
            UROM_WORKER_NOTIFY_SANDBOX_MEM_MAP);

    assert_int_equal(outcome.status, DOCA_SUCCESS);
    assert_int_not_equal(outcome.notify.mem_map.memh_id, 0);
    return outcome.notify.mem_map.memh_id;
}

struct outcome await_outcome(struct instance *instance, uint64_t context, uint64_t type)
{
    static struct notification notification;
    struct outcome outcome;

    await_notification(instance, context, &notification);
    assert_true(notification.length >= sizeof(outcome.notify));
    memcpy(&outcome.notify, notification.bytes, sizeof(outcome.notify));
    assert_int_equal(outcome.notify.type, type);
    assert_int_equal(outcome.notify.tag_send.context, CALLER);
    outcome.status = notification.status;
    outcome.inline_length = notification.length - sizeof(outcome.notify);
    outcome.inline_bytes = notification.bytes + sizeof(outcome.notify);
    return outcome;
}
