/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A host program of UROM: connected to the service named by DOCA_UROM_SERVICE_FILE, with one
 * worker for the graph plugin. Any failure exits the program with an error message.
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
    uint64_t plugin;  /* the id of worker_graph */
    bool shares_host; /* shares everything but the worker with another host */
};

/* Connects and starts a worker on the second core of the options. */
void urom_host_open(struct urom_host *host, const struct options *options);

/* Starts another worker of the host `first`, which must be closed last. */
void urom_host_open_beside(
        struct urom_host *host, const struct urom_host *first, const struct options *options);

/*
 * Stops the worker and releases all resources that are not shared. Its tasks must be released
 * before.
 */
void urom_host_close(struct urom_host *host);

/* Exits the program unless the status is SUCCESS. */
void urom_check(doca_error_t status, const char *what);

#endif /* UROM_HOST_H_ */
