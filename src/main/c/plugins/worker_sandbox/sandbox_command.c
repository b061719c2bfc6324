/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding of sandbox commands. Every length is checked against the bytes available. */
#include <string.h>

#include "../reader.h"
#include "sandbox_command.h"

#define SIZE_1_13 64 /* bytes of struct urom_worker_sandbox_cmd with UCX up to 1.13 */
#define SIZE_1_14 72 /* ... and from 1.14 on */

#define REMOTE_MEMORY_MAGIC 0x414D524A /* the bytes J, R, M, A */
#define REMOTE_MEMORY_VERSION 1

_Static_assert(sizeof(struct urom_worker_sandbox_cmd) == SIZE_1_13
                || sizeof(struct urom_worker_sandbox_cmd) == SIZE_1_14,
        "UCX has given its mapping parameters a third size");

/* Returns the offset of the handle, which follows the struct's last field, its length. */
static size_t handle_offset(const uint8_t *bytes, size_t length)
{
    if (length >= SIZE_1_13 && load_u64(bytes + SIZE_1_13 - 8) == length - SIZE_1_13)
        return SIZE_1_13;
    if (length >= SIZE_1_14 && load_u64(bytes + SIZE_1_14 - 8) == length - SIZE_1_14)
        return SIZE_1_14;
    return 0;
}

static doca_error_t read_mem_map(
        const uint8_t *bytes, size_t length, struct sandbox_mem_map *mem_map)
{
    size_t offset = handle_offset(bytes, length);
    struct reader fields = { bytes, offset, false };

    if (offset == 0)
        return DOCA_ERROR_INVALID_VALUE;
    take(&fields, sizeof(uint64_t)); /* the command's type */
    mem_map->context = take_u64(&fields);
    mem_map->field_mask = take_u64(&fields);
    mem_map->address = take_u64(&fields);
    mem_map->length = take_u64(&fields);
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

static doca_error_t read_receive(
        const uint8_t *bytes, size_t length, struct sandbox_command *command)
{
    memcpy(&command->tag_recv, bytes + 8, sizeof(command->tag_recv));
    return is_size(length) ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t sandbox_read_command(
        const uint8_t *bytes, size_t length, struct sandbox_command *command)
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

doca_error_t sandbox_read_remote_memory(
        const uint8_t *bytes, size_t length, struct sandbox_remote_memory *memory)
{
    struct reader reader = { bytes, length, false };
    struct bytes address, key;
    uint32_t magic = take_u32(&reader), version = take_u32(&reader);

    address.length = take_u32(&reader);
    key.length = take_u32(&reader);
    if (reader.failed || magic != REMOTE_MEMORY_MAGIC)
        return DOCA_ERROR_NOT_SUPPORTED;
    address = take(&reader, address.length);
    key = take(&reader, key.length);
    if (version != REMOTE_MEMORY_VERSION || !is_read_up(&reader) || address.length == 0
            || key.length == 0)
        return DOCA_ERROR_INVALID_VALUE;

    *memory = (struct sandbox_remote_memory){ address.data, address.length, key.data, key.length };
    return DOCA_SUCCESS;
}
