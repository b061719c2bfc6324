/* SPDX-License-Identifier: Apache-2.0 */
/* Decoded RDMO commands; see docs/plugin-protocols.md. */
#ifndef JUROM_RDMO_COMMAND_H_
#define JUROM_RDMO_COMMAND_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "../reader.h"

struct command_client_init {
    uint64_t id;
    struct bytes address;
};

struct command_mr_reg {
    uint64_t address;
    uint64_t length;
    struct bytes key;
};

struct command {
    uint64_t type; /* enum urom_worker_rdmo_cmd_type */
    union {
        struct command_client_init client_init;
        struct bytes rq_create; /* the peer's address */
        uint64_t rq_destroy;    /* the queue's id */
        struct command_mr_reg mr_reg;
        uint64_t mr_dereg; /* the key */
    };
};

/* Decodes a command, which points into `bytes`. INVALID_VALUE: malformed, or a wrong length. */
doca_error_t rdmo_read_command(const uint8_t *bytes, size_t length, struct command *command);

#endif /* JUROM_RDMO_COMMAND_H_ */
