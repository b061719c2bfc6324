/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of worker_graph, unique per host, worker and command number. */
#ifndef JUROM_FAULT_PAYLOAD_H_
#define JUROM_FAULT_PAYLOAD_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the unique key of a command, derived from the seed of the host. */
uint64_t payload_key(uint64_t seed, unsigned worker, unsigned command);

/* Returns the length of the command with a key, which has at most `bytes` after its fixed part. */
size_t payload_length(uint64_t key, unsigned bytes);

/* Returns a byte of the data that is derived from a key. */
uint8_t payload_byte(uint64_t key, size_t at);

/* Writes the command with a key, of `length` bytes. */
void payload_write(uint64_t key, void *data, size_t length);

/* Returns whether the data is the answer to the command with a key and a length. */
bool payload_answers(uint64_t key, size_t length, const void *data, size_t data_length);

#endif /* JUROM_FAULT_PAYLOAD_H_ */
