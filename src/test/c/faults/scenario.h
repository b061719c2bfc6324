/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A host's complete life cycle: a session, a group query, a worker with a domain, commands, and the
 * release of all of them. Whichever step fails, the scenario ends, and each task completes.
 */
#ifndef JUROM_SCENARIO_TEST_H_
#define JUROM_SCENARIO_TEST_H_

#define SCENARIO_MS 30000 /* maximum duration */

/*
 * Runs the scenario with the service that the environment names. Returns NULL on success, else a
 * description of the failure.
 */
const char *scenario_run(void);

#endif /* JUROM_SCENARIO_TEST_H_ */
