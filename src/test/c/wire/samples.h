/* SPDX-License-Identifier: Apache-2.0 */
/* One good frame of every type, with every field set to something that shows. */
#ifndef JUROM_WIRE_SAMPLES_H_
#define JUROM_WIRE_SAMPLES_H_

#include <stddef.h>

#include <wire/wire.h>

#define SAMPLE_MAX 1024 /* no sample takes more bytes than this */

/* How many samples there are. */
size_t sample_count(void);

/* Sample number `index`, which lives as long as the program. */
const struct wire_frame *sample(size_t index);

/* The number of the first sample of `type`, of which there is one. */
size_t sample_of(enum wire_type type);

#endif /* JUROM_WIRE_SAMPLES_H_ */
