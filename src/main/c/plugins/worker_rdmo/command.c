/* SPDX-License-Identifier: Apache-2.0 */
/* Reading RDMO commands: every length is checked against what is there. */
#include <string.h>

#include <jurom/urom_rdmo.h>

#include "command.h"

/* What is left of a command behind its struct. */
struct inline_parts {
    const uint8_t *next;
    size_t left;
    int failed;
};

static struct bytes take(struct inline_parts *parts, uint64_t length)
{
    struct bytes taken = { parts->next, 0 };

    if (length > parts->left) {
        parts->failed = 1;
        return taken;
    }
    taken.length = length;
    parts->next += length;
    parts->left -= length;
    return taken;
}

doca_error_t rdmo_read_command(const uint8_t *bytes, size_t length, struct command *command)
{
    struct urom_worker_rdmo_cmd raw;
    struct inline_parts parts;

    if (length < sizeof(raw))
        return DOCA_ERROR_INVALID_VALUE;
    memcpy(&raw, bytes, sizeof(raw));
    parts = (struct inline_parts){ bytes + sizeof(raw), length - sizeof(raw), 0 };
    command->type = raw.type;
    switch (raw.type) {
    case UROM_WORKER_CMD_RDMO_CLIENT_INIT:
        command->client_init.id = raw.client_init.id;
        command->client_init.address = take(&parts, raw.client_init.addr_len);
        break;
    case UROM_WORKER_CMD_RDMO_RQ_CREATE:
        command->rq_create = take(&parts, raw.rq_create.addr_len);
        break;
    case UROM_WORKER_CMD_RDMO_RQ_DESTROY:
        command->rq_destroy = raw.rq_destroy.rq_id;
        break;
    case UROM_WORKER_CMD_RDMO_MR_REG:
        command->mr_reg.address = raw.mr_reg.va;
        command->mr_reg.length = raw.mr_reg.len;
        command->mr_reg.key = take(&parts, raw.mr_reg.packed_rkey_len);
        take(&parts, raw.mr_reg.packed_memh_len);
        break;
    case UROM_WORKER_CMD_RDMO_MR_DEREG:
        command->mr_dereg = raw.mr_dereg.rkey;
        break;
    default:
        return DOCA_ERROR_INVALID_VALUE;
    }
    return parts.failed || parts.left > 0 ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}
