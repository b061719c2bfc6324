/* SPDX-License-Identifier: Apache-2.0 */
/* The samples of src/test/resources/frames.txt, which the tests in Java use too. */
#ifndef JUROM_WIRE_SAMPLES_H_
#define JUROM_WIRE_SAMPLES_H_

#include <stddef.h>

#include <wire/wire.h>

#define SAMPLE_MAX 1024 /* maximum size of an encoded sample */

/* Returns the number of samples. */
size_t sample_count(void);

/* Returns the frame of the sample at `index`, which is static. */
const struct wire_frame *sample(size_t index);

/* Returns the bytes of the sample at `index`, which are static, and sets `*length`. */
const uint8_t *sample_bytes(size_t index, size_t *length);

/* Returns the index of the first sample of `type`, which must exist. */
size_t sample_of(enum wire_type type);

#endif /* JUROM_WIRE_SAMPLES_H_ */
