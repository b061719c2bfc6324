/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command on its way in. A large one is announced first and fetched after; those behind it wait,
 * so that the plugins see each host's commands in the order in which it sent them.
 */
#ifndef JUROM_ARRIVAL_H_
#define JUROM_ARRIVAL_H_

#include <stdbool.h>

#include <doca_urom_plugin.h>
#include <net/net.h>

struct arrival {
    ucs_list_link_t entry; /* in its connection's arrivals, or among the abandoned */
    struct net_operation fetch;
    struct urom_worker_cmd_desc *command;
    bool fetching;
    bool abandoned; /* its connection has gone: frees itself when it has been fetched */
    /* Called when the fetch is over and the connection is still there. */
    void (*fetched)(struct arrival *arrival, doca_error_t status);
    void *owner;
};

/* Frees those that are here; those that UCX still writes to go among the `abandoned`. */
void arrivals_abandon(ucs_list_link_t *arrivals, ucs_list_link_t *abandoned);

/* Frees all of them; UCX writes no more. */
void arrivals_free(ucs_list_link_t *arrivals);

/* Makes an arrival around `command`, which it owns. NULL: no memory. */
struct arrival *arrival_new(struct urom_worker_cmd_desc *command);

#endif /* JUROM_ARRIVAL_H_ */
