/* SPDX-License-Identifier: Apache-2.0 */
/* Data that an intruder writes into its rings. */
#ifndef JUROM_SCRIBBLES_H_
#define JUROM_SCRIBBLES_H_

#include "intruder.h"

/*
 * A valid command to worker_graph (plugin 1), and a frame of any type with a correct or incorrect
 * length.
 */
void put_command(struct intruder *intruder, uint64_t number);
void put_almost_a_command(struct intruder *intruder, uint64_t number);

/*
 * Writes one word or byte: to the control page, the data, the lengths of records, or any of them.
 */
void scribble_controls(struct intruder *intruder);
void scribble_data(struct intruder *intruder);
void scribble_words(struct intruder *intruder);
void scribble_all(struct intruder *intruder);

#endif /* JUROM_SCRIBBLES_H_ */
