/* SPDX-License-Identifier: Apache-2.0 */
/* The host's side of worker_sandbox, for tests: commands and what answers them. */
#ifndef JUROM_TEST_SANDBOX_HOST_H_
#define JUROM_TEST_SANDBOX_HOST_H_

#include <jurom/urom_sandbox.h>

#include "host_memory.h"
#include "plugin_instance.h"

#define HOST 77                        /* dest_id of the host, unless a test has two */
#define OTHER_HOST (HOST | 1ull << 32) /* the lower halves are the same */

/* What a notification says. */
struct outcome {
    doca_error_t status;
    struct urom_worker_notify_sandbox notify;
    size_t inline_length;
    const uint8_t *inline_bytes; /* until the next outcome */
};

/* Gives commands; each returns the context of the notification to wait for. */
uint64_t send_inline(
        struct instance *instance, uint64_t dest, uint64_t tag, const void *bytes, size_t length);
uint64_t send_mapped(struct instance *instance, uint64_t dest, uint64_t tag, const void *address,
        size_t length, uint64_t memh_id);
uint64_t receive_inline(struct instance *instance, uint64_t tag, uint64_t mask, size_t room);
uint64_t receive_mapped(
        struct instance *instance, uint64_t tag, void *address, size_t room, uint64_t memh_id);

/* Maps `length` bytes from `address` on for `host`, with the memory's address and key. */
uint64_t map(struct instance *instance, uint64_t host, const struct host_memory *memory,
        const void *address, size_t length);

/* Maps with other bytes in place of address and key. */
uint64_t map_exported(struct instance *instance, uint64_t host, const void *address, size_t length,
        const void *exported, size_t exported_length);

/* Maps all of the memory for HOST, and gives the id that the plugin gave it. */
uint64_t map_all(struct instance *instance, const struct host_memory *memory);

/* Waits for the answer, whose type must be `type`. Every answer has the context CALLER. */
struct outcome await_outcome(struct instance *instance, uint64_t context, uint64_t type);

#define CALLER 0xCA11E8 /* the caller's own value in every command */

#endif /* JUROM_TEST_SANDBOX_HOST_H_ */
