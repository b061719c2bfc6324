/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deadlines and cancellation of commands. The worker checks both before it passes a command to its
 * plugin; later, the plugin checks them, or is notified of the CANCEL frame of a host.
 */
#ifndef JUROM_CANCELLATION_H_
#define JUROM_CANCELLATION_H_

#include <doca_urom_plugin.h>

#include "connection.h"

struct worker;

/* Makes the commands of this worker known to jurom_worker_is_wanted and jurom_worker_deadline. */
void cancellation_open(const struct worker *worker);

/*
 * Returns SUCCESS if the host waits for the answer to this unanswered command; SKIPPED: it has
 * cancelled it or disconnected; TIME_OUT: its deadline has passed.
 */
doca_error_t cancellation_check(
        const struct worker *worker, const struct urom_worker_cmd_desc *command);

/*
 * Checks a command that has just arrived, without a search unless it has a deadline: 0 is none.
 * Records the deadline.
 */
doca_error_t cancellation_check_arrived(
        const struct connection *connection, uint64_t request_id, uint64_t deadline);

#endif /* JUROM_CANCELLATION_H_ */
