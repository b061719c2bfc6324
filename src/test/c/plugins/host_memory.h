/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of a host that plugins access through UCX: a UCP worker and a region between guard pages,
 * so that accesses outside of the region crash the test.
 */
#ifndef JUROM_TEST_HOST_MEMORY_H_
#define JUROM_TEST_HOST_MEMORY_H_

#include <stddef.h>
#include <stdint.h>

#include <ucp/api/ucp.h>

struct host_memory {
    ucp_context_h context;
    ucp_worker_h worker;
    ucp_address_t *address; /* of the worker */
    size_t address_length;
    uint8_t *mapping; /* with its guard pages */
    size_t mapping_length;
    uint8_t *region; /* ends at a guard page */
    size_t length;
    ucp_mem_h handle;
    void *key; /* packed remote key of the region */
    size_t key_length;
};

/* Opens a UCP worker and a region of `length` zero bytes. */
void host_memory_open(struct host_memory *memory, size_t length);

void host_memory_close(struct host_memory *memory);

#endif /* JUROM_TEST_HOST_MEMORY_H_ */
