/* SPDX-License-Identifier: Apache-2.0 */
/* Reading sandbox commands: every length is checked against what is there. */
#include <string.h>

#include "command.h"

#define SIZE_1_13 64 /* bytes of struct urom_worker_sandbox_cmd with UCX up to 1.13 */
#define SIZE_1_14 72 /* ... and from 1.14 on */

#define REMOTE_MEMORY_MAGIC 0x414D524A /* the bytes J, R, M, A */
#define REMOTE_MEMORY_VERSION 1
#define REMOTE_MEMORY_HEAD 16

_Static_assert(sizeof(struct urom_worker_sandbox_cmd) == SIZE_1_13
        || sizeof(struct urom_worker_sandbox_cmd) == SIZE_1_14,
        "UCX has given its mapping parameters a third size");

static uint64_t load_u64(const uint8_t *bytes)
{
    uint64_t value;

    memcpy(&value, bytes, sizeof(value));
    return value;
}

static uint32_t load_u32(const uint8_t *bytes)
{
    uint32_t value;

    memcpy(&value, bytes, sizeof(value));
    return value;
}

/* Where the handle begins: behind a length, the struct's last field, that tells all the rest. */
static size_t handle_offset(const uint8_t *bytes, size_t length)
{
    if (length >= SIZE_1_13 && load_u64(bytes + SIZE_1_13 - 8) == length - SIZE_1_13)
        return SIZE_1_13;
    if (length >= SIZE_1_14 && load_u64(bytes + SIZE_1_14 - 8) == length - SIZE_1_14)
        return SIZE_1_14;
    return 0;
}

static doca_error_t read_mem_map(const uint8_t *bytes, size_t length,
        struct sandbox_mem_map *mem_map)
{
    size_t offset = handle_offset(bytes, length);

    if (offset == 0)
        return DOCA_ERROR_INVALID_VALUE;
    mem_map->context = load_u64(bytes + 8);
    mem_map->field_mask = load_u64(bytes + 16);
    mem_map->address = load_u64(bytes + 24);
    mem_map->length = load_u64(bytes + 32);
    mem_map->exported = bytes + offset;
    mem_map->exported_length = length - offset;
    return DOCA_SUCCESS;
}

static int is_size(size_t length)
{
    return length == SIZE_1_13 || length == SIZE_1_14;
}

static doca_error_t read_send(const uint8_t *bytes, size_t length, struct sandbox_command *command)
{
    struct urom_worker_sandbox_cmd_tag_send *send = &command->tag_send;
    size_t payload;

    memcpy(send, bytes + 8, sizeof(*send));
    payload = send->memh_id == 0 ? send->count : 0;
    if (payload > length || !is_size(length - payload))
        return DOCA_ERROR_INVALID_VALUE;
    command->payload = bytes + (length - payload);
    return DOCA_SUCCESS;
}

static doca_error_t read_receive(const uint8_t *bytes, size_t length,
        struct sandbox_command *command)
{
    memcpy(&command->tag_recv, bytes + 8, sizeof(command->tag_recv));
    return is_size(length) ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t sandbox_read_command(const uint8_t *bytes, size_t length,
        struct sandbox_command *command)
{
    if (length < SIZE_1_13)
        return DOCA_ERROR_INVALID_VALUE;

    memset(command, 0, sizeof(*command));
    command->type = load_u64(bytes);
    switch (command->type) {
    case UROM_WORKER_CMD_SANDBOX_MEM_MAP:
        return read_mem_map(bytes, length, &command->mem_map);
    case UROM_WORKER_CMD_SANDBOX_TAG_SEND:
        return read_send(bytes, length, command);
    case UROM_WORKER_CMD_SANDBOX_TAG_RECV:
        return read_receive(bytes, length, command);
    default:
        return DOCA_ERROR_INVALID_VALUE;
    }
}

doca_error_t sandbox_read_remote_memory(const uint8_t *bytes, size_t length,
        struct sandbox_remote_memory *memory)
{
    uint64_t parts;

    if (length < REMOTE_MEMORY_HEAD || load_u32(bytes) != REMOTE_MEMORY_MAGIC)
        return DOCA_ERROR_NOT_SUPPORTED;
    memory->address_length = load_u32(bytes + 8);
    memory->key_length = load_u32(bytes + 12);
    parts = (uint64_t)memory->address_length + memory->key_length;
    if (load_u32(bytes + 4) != REMOTE_MEMORY_VERSION || parts != length - REMOTE_MEMORY_HEAD
            || memory->address_length == 0 || memory->key_length == 0)
        return DOCA_ERROR_INVALID_VALUE;

    memory->address = bytes + REMOTE_MEMORY_HEAD;
    memory->key = memory->address + memory->address_length;
    return DOCA_SUCCESS;
}
