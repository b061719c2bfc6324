/* SPDX-License-Identifier: Apache-2.0 */
/* worker_sandbox in the fuzzer. */
#include <string.h>

#include <jurom/urom_sandbox.h>

#include "plugin_fuzz.h"

#define MAGIC 0x414D524A

static uint64_t memory; /* the last mapped memory */

void forget(void)
{
    memory = 0;
}

void learn(const uint8_t *bytes, size_t length)
{
    struct urom_worker_notify_sandbox notify;

    if (length < sizeof(notify))
        return;
    memcpy(&notify, bytes, sizeof(notify));
    if (notify.type == UROM_WORKER_NOTIFY_SANDBOX_MEM_MAP && notify.mem_map.memh_id != 0)
        memory = notify.mem_map.memh_id;
}

static uint64_t take_memory(struct input *input)
{
    uint8_t which = (uint8_t)take_number(input, 1);

    return which % 2 == 0 ? 0 : which % 16 == 15 ? which : memory;
}

static size_t make_mem_map(
        struct input *input, struct urom_worker_sandbox_cmd *command, uint8_t *behind)
{
    uint32_t head[4] = { MAGIC, 1, 24, 24 };

    command->mem_map.map_params.field_mask = 3;
    command->mem_map.map_params.address = (void *)take_length(input);
    command->mem_map.map_params.length = take_length(input);
    if (take_number(input, 1) % 8 == 0)
        head[2] = (uint32_t)take_length(input);
    memcpy(behind, head, sizeof(head));
    take_bytes(input, behind + sizeof(head), 48);
    command->mem_map.exported_memh_buffer_len = sizeof(head) + 48;
    return command->mem_map.exported_memh_buffer_len;
}

size_t make_command(struct input *input, uint8_t bytes[COMMAND_MAX])
{
    struct urom_worker_sandbox_cmd command;
    uint8_t *behind = bytes + sizeof(command);
    size_t length = 0;

    memset(bytes, 0, COMMAND_MAX);
    memset(&command, 0, sizeof(command));
    command.type = take_number(input, 1) % 4;
    switch (command.type) {
    case UROM_WORKER_CMD_SANDBOX_MEM_MAP:
        length = make_mem_map(input, &command, behind);
        break;
    case UROM_WORKER_CMD_SANDBOX_TAG_SEND:
        command.tag_send.dest = take_number(input, 1) % 10;
        command.tag_send.memh_id = take_memory(input);
        command.tag_send.buffer = take_length(input);
        command.tag_send.count = take_length(input);
        if (command.tag_send.memh_id == 0)
            length = command.tag_send.count % (COMMAND_MAX - sizeof(command));
        break;
    default:
        command.tag_recv.memh_id = take_memory(input);
        command.tag_recv.buffer = take_length(input);
        command.tag_recv.count = take_length(input);
    }
    memcpy(bytes, &command, sizeof(command));
    if (take_number(input, 1) % 16 == 0)
        return take_number(input, 2) % COMMAND_MAX; /* a wrong length */
    return sizeof(command) + length;
}

size_t make_request(struct input *input, uint8_t bytes[COMMAND_MAX])
{
    (void)input;
    (void)bytes;
    return 0;
}
