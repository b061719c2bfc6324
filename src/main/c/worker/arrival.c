/* SPDX-License-Identifier: Apache-2.0 */
/* The life of an arrival. */
#include <stdlib.h>

#include <common/private.h>

#include "arrival.h"

static void fetch_done(struct net_operation *operation, doca_error_t status)
{
    struct arrival *arrival = CONTAINER_OF(operation, struct arrival, fetch);

    arrival->fetching = false;
    if (arrival->abandoned) {
        free(arrival->command);
        free(arrival);
    } else {
        arrival->fetched(arrival, status);
    }
}

struct arrival *arrival_new(struct urom_worker_cmd_desc *command)
{
    struct arrival *arrival = calloc(1, sizeof(*arrival));

    if (arrival != NULL) {
        arrival->command = command;
        arrival->fetch.done = fetch_done;
    }
    return arrival;
}

void arrivals_abandon(ucs_list_link_t *arrivals)
{
    while (!ucs_list_is_empty(arrivals)) {
        struct arrival *arrival = ucs_list_extract_head(arrivals, struct arrival, entry);

        if (arrival->fetching) {
            arrival->abandoned = true;
        } else {
            free(arrival->command);
            free(arrival);
        }
    }
}
