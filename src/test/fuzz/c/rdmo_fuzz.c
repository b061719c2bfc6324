/* SPDX-License-Identifier: Apache-2.0 */
/* worker_rdmo in the fuzzer. */
#include <string.h>

#include <jurom/urom_rdmo.h>

#include "plugin_fuzz.h"

static uint64_t key; /* of the last registered memory */

void forget(void)
{
    key = 0;
}

void learn(const uint8_t *bytes, size_t length)
{
    struct urom_worker_notify_rdmo notify;

    if (length < sizeof(notify))
        return;
    memcpy(&notify, bytes, sizeof(notify));
    if (notify.type == UROM_WORKER_NOTIFY_RDMO_MR_REG && notify.mr_reg.rkey != 0)
        key = notify.mr_reg.rkey;
}

static uint64_t take_key(struct input *input)
{
    return take_number(input, 1) % 16 == 0 ? take_length(input) : key;
}

static size_t make_address(struct input *input, uint64_t *length, uint8_t *behind)
{
    take_bytes(input, behind, 24);
    memset(behind + 1, 0, 7); /* few workers */
    *length = take_number(input, 1) % 16 == 0 ? take_length(input) : 24;
    return 24;
}

size_t make_command(struct input *input, uint8_t bytes[COMMAND_MAX])
{
    struct urom_worker_rdmo_cmd command;
    uint8_t *behind = bytes + sizeof(command);
    size_t length = 0;

    memset(bytes, 0, COMMAND_MAX);
    memset(&command, 0, sizeof(command));
    command.type = take_number(input, 1) % 6;
    switch (command.type) {
    case UROM_WORKER_CMD_RDMO_CLIENT_INIT:
        command.client_init.id = take_number(input, 1) % 4;
        length = make_address(input, &command.client_init.addr_len, behind);
        break;
    case UROM_WORKER_CMD_RDMO_RQ_CREATE:
        length = make_address(input, &command.rq_create.addr_len, behind);
        break;
    case UROM_WORKER_CMD_RDMO_RQ_DESTROY:
        command.rq_destroy.rq_id = take_number(input, 1) % 8;
        break;
    case UROM_WORKER_CMD_RDMO_MR_REG:
        command.mr_reg.va = take_length(input);
        command.mr_reg.len = take_length(input);
        length = make_address(input, &command.mr_reg.packed_rkey_len, behind);
        break;
    default:
        command.mr_dereg.rkey = take_key(input);
    }
    memcpy(bytes, &command, sizeof(command));
    if (take_number(input, 1) % 16 == 0)
        return take_number(input, 2) % COMMAND_MAX; /* a wrong length */
    return sizeof(command) + length;
}

size_t make_request(struct input *input, uint8_t bytes[COMMAND_MAX])
{
    struct urom_rdmo_hdr header = {
        .id = take_number(input, 1) % 4,
        .op_id = (uint32_t)take_number(input, 1) % 4,
        .flags = (uint32_t)take_number(input, 1) % 4,
    };
    uint64_t own[3];
    size_t length = header.op_id == UROM_RDMO_OP_APPEND ? sizeof(own) : sizeof(own[0]);

    own[0] = take_length(input);
    own[1] = take_key(input);
    own[2] = take_key(input);
    memcpy(bytes, &header, sizeof(header));
    memcpy(bytes + sizeof(header), own, sizeof(own));
    return take_number(input, 1) % 16 == 0 ? take_number(input, 1) : sizeof(header) + length;
}
