/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All that a host does in its life: a session, a question about a group, a worker with a domain,
 * commands, and the whole way back. Whatever fails on the way, that ends, and every task with it.
 */
#ifndef JUROM_SCENARIO_TEST_H_
#define JUROM_SCENARIO_TEST_H_

#define SCENARIO_MS 30000 /* it has ended by then */

/* Runs it against the service that the environment names. NULL: as it should; else what was not. */
const char *scenario_run(void);

#endif /* JUROM_SCENARIO_TEST_H_ */
