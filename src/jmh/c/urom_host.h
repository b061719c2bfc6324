/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A host program of UROM: connected to the service that DOCA_UROM_SERVICE_FILE names, with one
 * worker that runs the graph plugin. Any failure ends the program with a message.
 */
#ifndef UROM_HOST_H_
#define UROM_HOST_H_

#include <stdbool.h>

#include <doca_error.h>
#include <doca_urom.h>

#include "options.h"

struct doca_dev;
struct doca_pe;

struct urom_host {
    struct doca_dev *dev;
    struct doca_pe *pe;
    struct doca_urom_service *service;
    struct doca_urom_worker *worker;
    uint64_t plugin; /* the id of worker_graph */
    bool is_guest;   /* all but the worker is another's */
};

/* Connects, and starts a worker on the second of the options' cores. */
void urom_host_open(struct urom_host *host, const struct options *options);

/* Starts one more worker of a host. The other one must be closed last. */
void urom_host_open_beside(
        struct urom_host *host, const struct urom_host *first, const struct options *options);

/* Stops the worker and lets go of everything that is its own. Its tasks must be released. */
void urom_host_close(struct urom_host *host);

/* Ends the program unless the status is SUCCESS. */
void urom_check(doca_error_t status, const char *what);

#endif /* UROM_HOST_H_ */
