/* SPDX-License-Identifier: Apache-2.0 */
/* The table of faults that this process shares with the workers that it starts. */
#ifndef JUROM_FAULT_TABLE_TEST_H_
#define JUROM_FAULT_TABLE_TEST_H_

#include <faults/faults.h>
#include <faults/table.h>

/*
 * Creates a table and executes this program again with an environment that names it, so that all
 * processes find it as usual. Call it first in main. The table is removed when the program exits.
 */
void fault_table_begin(char **arguments);

/* Clears all faults, counts and events. */
void fault_table_clear(void);

/* Requests one action at the next reach of the point in processes of the role. */
void fault_set(unsigned point, enum fault_role role, enum fault_action action, uint64_t argument);

/* Returns the row, to set other fields. Set its action last. */
struct fault_row *fault_row(unsigned point);

/* Returns how often the point was reached. */
uint64_t fault_reached(unsigned point);
/* Returns the number of events. */
uint64_t fault_events(void);
/* Waits until event `index` is complete, and returns it. */
const struct fault_event *fault_event(unsigned index);

#endif /* JUROM_FAULT_TABLE_TEST_H_ */
