/* SPDX-License-Identifier: Apache-2.0 */
/* A table of faults that this process and the workers that it starts share. */
#ifndef JUROM_FAULT_TABLE_TEST_H_
#define JUROM_FAULT_TABLE_TEST_H_

#include <faults/faults.h>
#include <faults/table.h>

/*
 * Makes a table and executes this program again, whose environment names it: so all look for it as
 * they do in a run. Call first in main. The table is removed when the program ends.
 */
void fault_table_begin(char **arguments);

/* Nothing fails any more; counts and events begin anew. */
void fault_table_clear(void);

/* This action happens in processes of this role, at the point's next reach, once. */
void fault_set(unsigned point, enum fault_role role, enum fault_action action, uint64_t argument);

/* The row, for what else there is to set. Its action is set last. */
struct fault_row *fault_row(unsigned point);

/* How often a point was reached; how many events there are; and event `index`, whole. */
uint64_t fault_reached(unsigned point);
uint64_t fault_events(void);
const struct fault_event *fault_event(unsigned index);

#endif /* JUROM_FAULT_TABLE_TEST_H_ */
