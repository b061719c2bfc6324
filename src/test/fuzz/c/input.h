/* SPDX-License-Identifier: Apache-2.0 */
/* The input of a fuzzer as a script, from which numbers and bytes are read. */
#ifndef JUROM_FUZZ_INPUT_H_
#define JUROM_FUZZ_INPUT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The remaining input. */
struct input {
    const uint8_t *next;
    size_t left;
};

/* Reads a number of `size` bytes, or 0 at the end. */
uint64_t take_number(struct input *input, size_t size);

/* Reads up to `size` bytes and fills the rest with zeros. */
void take_bytes(struct input *input, void *bytes, size_t size);

/* Reads a length or address: mostly a small number, otherwise one at which sums overflow. */
uint64_t take_length(struct input *input);

/* Checks a property of the tested code. */
void require(bool condition);

#endif /* JUROM_FUZZ_INPUT_H_ */
