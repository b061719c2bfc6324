/* SPDX-License-Identifier: Apache-2.0 */
/* The host's side of worker_sandbox, for tests: commands and answers. */
#ifndef JUROM_TEST_SANDBOX_HOST_H_
#define JUROM_TEST_SANDBOX_HOST_H_

#include <jurom/urom_sandbox.h>

#include "host_memory.h"
#include "plugin_instance.h"

#define HOST 77                        /* dest_id of the host, unless a test has two */
#define OTHER_HOST (HOST | 1ull << 32) /* the lower halves are the same */

/* A decoded notification. */
struct outcome {
    doca_error_t status;
    struct urom_worker_notify_sandbox notify;
    size_t inline_length;
    const uint8_t *inline_bytes; /* valid until the next outcome */
};

/* Send commands. Return the context of the notification. */
uint64_t send_inline(
        struct instance *instance, uint64_t dest, uint64_t tag, const void *bytes, size_t length);
uint64_t send_mapped(struct instance *instance, uint64_t dest, uint64_t tag, const void *address,
        size_t length, uint64_t memh_id);
uint64_t receive_inline(struct instance *instance, uint64_t tag, uint64_t mask, size_t room);
uint64_t receive_mapped(
        struct instance *instance, uint64_t tag, void *address, size_t room, uint64_t memh_id);

/* Maps `length` bytes at `address` for `host`, with the address and key of the memory. */
uint64_t map(struct instance *instance, uint64_t host, const struct host_memory *memory,
        const void *address, size_t length);

/* Maps with other bytes instead of address and key. */
uint64_t map_exported(struct instance *instance, uint64_t host, const void *address, size_t length,
        const void *exported, size_t exported_length);

/* Maps all of the memory for HOST. Returns the id that the plugin assigned. */
uint64_t map_all(struct instance *instance, const struct host_memory *memory);

/* Waits for the answer, which must have this type and the context CALLER. */
struct outcome await_outcome(struct instance *instance, uint64_t context, uint64_t type);

#define CALLER 0xCA11E8 /* opaque value of the caller in every command */

#endif /* JUROM_TEST_SANDBOX_HOST_H_ */
