/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decoded sandbox commands. Because of ucp_mem_map_params_t, commands of hosts compiled with UCX up
 * to 1.13 have 64 bytes, and those with later versions 72 bytes. The lengths in a command tell
 * which. See docs/plugin-protocols.md.
 */
#ifndef JUROM_SANDBOX_COMMAND_H_
#define JUROM_SANDBOX_COMMAND_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>
#include <jurom/urom_sandbox.h>

/* MEM_MAP, without the parameters that are meaningless in another process. */
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
 * A host's substitute for an exported memory handle: the address of its UCP worker, and the remote
 * key of the memory.
 */
struct sandbox_remote_memory {
    const uint8_t *address;
    size_t address_length;
    const uint8_t *key;
    size_t key_length;
};

/*
 * Decodes a command, which points into `bytes`. INVALID_VALUE: malformed, or a wrong length.
 */
doca_error_t sandbox_read_command(
        const uint8_t *bytes, size_t length, struct sandbox_command *command);

/*
 * Decodes the exported bytes of a MEM_MAP. NOT_SUPPORTED: another format, such as a handle exported
 * by UCX. INVALID_VALUE: malformed.
 */
doca_error_t sandbox_read_remote_memory(
        const uint8_t *bytes, size_t length, struct sandbox_remote_memory *memory);

#endif /* JUROM_SANDBOX_COMMAND_H_ */
