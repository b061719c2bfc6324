/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sandbox commands as they arrive. A host compiled with UCX 1.13 or before has commands of 64
 * bytes, one with 1.14 or after of 72, because of ucp_mem_map_params_t: which it is follows from a
 * command's own lengths. See docs/plugin-protocols.md.
 */
#ifndef JUROM_SANDBOX_COMMAND_H_
#define JUROM_SANDBOX_COMMAND_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>
#include <jurom/urom_sandbox.h>

/* MEM_MAP, without the part of the parameters that means nothing to another process. */
struct sandbox_mem_map {
    uint64_t context;
    uint64_t field_mask;
    uint64_t address;
    uint64_t length;
    const uint8_t *exported; /* bytes inside the command */
    size_t exported_length;
};

struct sandbox_command {
    uint64_t type; /* enum urom_worker_sandbox_cmd_type */
    union {
        struct sandbox_mem_map mem_map;
        struct urom_worker_sandbox_cmd_tag_send tag_send;
        struct urom_worker_sandbox_cmd_tag_recv tag_recv;
    };
    const uint8_t *payload; /* of an inline send, inside the command */
};

/*
 * What a host hands out in place of an exported memory handle: how its UCP worker is reached, and
 * the remote key of the memory.
 */
struct sandbox_remote_memory {
    const uint8_t *address;
    size_t address_length;
    const uint8_t *key;
    size_t key_length;
};

/*
 * Reads a command; it points into `bytes`. INVALID_VALUE: no sandbox command, or of another length.
 */
doca_error_t sandbox_read_command(const uint8_t *bytes, size_t length,
        struct sandbox_command *command);

/*
 * Reads the exported bytes of a MEM_MAP. NOT_SUPPORTED: something else, such as a handle exported
 * by UCX. INVALID_VALUE: damaged.
 */
doca_error_t sandbox_read_remote_memory(const uint8_t *bytes, size_t length,
        struct sandbox_remote_memory *memory);

#endif /* JUROM_SANDBOX_COMMAND_H_ */
