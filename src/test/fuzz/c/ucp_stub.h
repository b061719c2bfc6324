/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stub of UCX for fuzzers: operations complete on request, and access their buffers and keys
 * only then, so that AddressSanitizer detects memory that is too short or freed too early. Half
 * of the operations complete immediately. Single-threaded.
 */
#ifndef JUROM_TEST_UCP_STUB_H_
#define JUROM_TEST_UCP_STUB_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STUB_ADDRESS_LENGTH 24 /* bytes read of an address or key */

/* Resets the stub; `seed` determines which operations complete immediately and which fail. */
void stub_begin(unsigned seed);

/* Completes up to `count` of the oldest operations in flight. */
void stub_complete(unsigned count);

/* Delivers a tagged message of `length` bytes to the oldest receive. */
void stub_arrive(size_t length);

/* Delivers an active message to the plugin through the endpoint with index `endpoint`. */
void stub_message(const void *header, size_t header_length, const void *data, size_t length,
        bool announced, unsigned endpoint);

/* Returns whether remote keys exist. */
bool stub_has_keys(void);

#endif /* JUROM_TEST_UCP_STUB_H_ */
