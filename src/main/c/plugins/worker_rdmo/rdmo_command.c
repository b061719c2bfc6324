/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding of RDMO commands. Every length is checked against the bytes available. */
#include <jurom/urom_rdmo.h>

#include "rdmo_command.h"

doca_error_t rdmo_read_command(const uint8_t *bytes, size_t length, struct command *command)
{
    struct reader reader = { bytes, length, false };
    struct urom_worker_rdmo_cmd raw;

    take_struct(&reader, &raw, sizeof(raw));
    if (reader.failed)
        return DOCA_ERROR_INVALID_VALUE;
    command->type = raw.type;
    switch (raw.type) {
    case UROM_WORKER_CMD_RDMO_CLIENT_INIT:
        command->client_init.id = raw.client_init.id;
        command->client_init.address = take(&reader, raw.client_init.addr_len);
        break;
    case UROM_WORKER_CMD_RDMO_RQ_CREATE:
        command->rq_create = take(&reader, raw.rq_create.addr_len);
        break;
    case UROM_WORKER_CMD_RDMO_RQ_DESTROY:
        command->rq_destroy = raw.rq_destroy.rq_id;
        break;
    case UROM_WORKER_CMD_RDMO_MR_REG:
        command->mr_reg.address = raw.mr_reg.va;
        command->mr_reg.length = raw.mr_reg.len;
        command->mr_reg.key = take(&reader, raw.mr_reg.packed_rkey_len);
        take(&reader, raw.mr_reg.packed_memh_len);
        break;
    case UROM_WORKER_CMD_RDMO_MR_DEREG:
        command->mr_dereg = raw.mr_dereg.rkey;
        break;
    default:
        return DOCA_ERROR_INVALID_VALUE;
    }
    return is_read_up(&reader) ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}
