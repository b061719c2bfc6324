/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UCX's place in a fuzzer: operations end when they are told to, and touch their buffers and keys
 * only then, so that AddressSanitizer sees memory that was too short or freed too early. Half of
 * the operations end at once. Single-threaded.
 */
#ifndef JUROM_TEST_UCP_STUB_H_
#define JUROM_TEST_UCP_STUB_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STUB_ADDRESS_LENGTH 24 /* bytes of an address or key that are read */

/* Begins anew; `seed` decides which operations end at once, and which fail. */
void stub_begin(unsigned seed);

/* Ends the oldest operations under way, `count` at most. */
void stub_complete(unsigned count);

/* Has a tagged message of `length` bytes arrive in the oldest receive. */
void stub_arrive(size_t length);

/* Hands an active message to the plugin, through endpoint number `endpoint` of those there are. */
void stub_message(const void *header, size_t header_length, const void *data, size_t length,
        bool announced, unsigned endpoint);

/* Whether there are remote keys that were not destroyed. */
bool stub_has_keys(void);

#endif /* JUROM_TEST_UCP_STUB_H_ */
