/* SPDX-License-Identifier: Apache-2.0 */
/* A fuzzer's input as a script: numbers and bytes are taken from it until nothing is left. */
#ifndef JUROM_FUZZ_INPUT_H_
#define JUROM_FUZZ_INPUT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is left of the fuzzer's input. */
struct input {
    const uint8_t *next;
    size_t left;
};

/* Takes a number of `size` bytes, 0 when there is nothing left. */
uint64_t take_number(struct input *input, size_t size);

/* Takes up to `size` bytes and puts zeros behind them. */
void take_bytes(struct input *input, void *bytes, size_t size);

/* Takes a length or address: mostly a small one, else one of those at which sums wrap. */
uint64_t take_length(struct input *input);

/* What must be true of the product. */
void require(bool condition);

#endif /* JUROM_FUZZ_INPUT_H_ */
