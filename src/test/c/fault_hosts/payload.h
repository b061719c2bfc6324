/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of worker_graph that no two hosts, workers and turns have in common. */
#ifndef JUROM_FAULT_PAYLOAD_H_
#define JUROM_FAULT_PAYLOAD_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is unlike in each command: drawn from the run's seed. */
uint64_t payload_key(uint64_t seed, unsigned worker, unsigned command);

/* Bytes of the command with this key; at most `bytes` behind the fixed part. */
size_t payload_length(uint64_t key, unsigned bytes);

/* The byte at a place of what a key stands for. */
uint8_t payload_byte(uint64_t key, size_t at);

void payload_write(uint64_t key, void *data, size_t length);

/* Whether these bytes are the answer to the command with this key, of `length` bytes. */
bool payload_answers(uint64_t key, size_t length, const void *data, size_t data_length);

#endif /* JUROM_FAULT_PAYLOAD_H_ */
