/* SPDX-License-Identifier: Apache-2.0 */
/* What an intruder writes into the rings that he has been given. */
#ifndef JUROM_SCRIBBLES_H_
#define JUROM_SCRIBBLES_H_

#include "intruder.h"

/* A command to worker_graph (plugin 1) that is answered; and what is as long as it is, or claims to
 * be, and of any type. */
void put_command(struct intruder *intruder, uint64_t number);
void put_almost_a_command(struct intruder *intruder, uint64_t number);

/* Writes one word or byte: of the controls, of the data, of records' lengths, or of any of these. */
void scribble_controls(struct intruder *intruder);
void scribble_data(struct intruder *intruder);
void scribble_words(struct intruder *intruder);
void scribble_all(struct intruder *intruder);

#endif /* JUROM_SCRIBBLES_H_ */
