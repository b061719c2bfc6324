/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIGTERM, which systemd and schedulers send to all processes of a service or job at once. The
 * worker continues to serve until its hosts, which may use it in their shutdown, have disconnected,
 * but for at most TERMINATION_MS. The handler is not inherited by programs that plugins start.
 */
#ifndef JUROM_TERMINATION_H_
#define JUROM_TERMINATION_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>

#include "events.h"

#define TERMINATION_MS 20000

struct worker;

struct termination {
    struct source source;
    int caught;        /* an eventfd, readable after SIGTERM and never read */
    uint64_t deadline; /* ns; UINT64_MAX without SIGTERM */
    bool ends_worker;  /* the worker exits because of SIGTERM */
};

/* Starts to catch SIGTERM. */
doca_error_t termination_catch(struct termination *termination);

/* Watches for SIGTERM. */
doca_error_t termination_watch(struct worker *worker);

/* Starts the time limit: SIGTERM has been caught. */
void termination_begin(struct worker *worker);

/*
 * Returns when the worker exits because of SIGTERM, in ns: 0 if all its hosts have disconnected and
 * none is expected, and UINT64_MAX without SIGTERM. Hosts are expected until one has connected.
 */
uint64_t termination_deadline(const struct worker *worker);

/* Stops the worker if that time has come at `now`. */
void termination_check(struct worker *worker, uint64_t now);

#endif /* JUROM_TERMINATION_H_ */
