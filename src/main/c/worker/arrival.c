/* SPDX-License-Identifier: Apache-2.0 */
/* The life of an arrival. */
#include <stdlib.h>

#include <common/private.h>

#include "arrival.h"

static void arrival_free(struct arrival *arrival)
{
    free(arrival->command);
    free(arrival);
}

static void fetch_done(struct net_operation *operation, doca_error_t status)
{
    struct arrival *arrival = CONTAINER_OF(operation, struct arrival, fetch);

    arrival->fetching = false;
    if (arrival->abandoned) {
        ucs_list_del(&arrival->entry);
        arrival_free(arrival);
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

void arrivals_abandon(ucs_list_link_t *arrivals, ucs_list_link_t *abandoned)
{
    while (!ucs_list_is_empty(arrivals)) {
        struct arrival *arrival = ucs_list_extract_head(arrivals, struct arrival, entry);

        arrival->abandoned = arrival->fetching;
        if (arrival->abandoned)
            ucs_list_add_tail(abandoned, &arrival->entry);
        else
            arrival_free(arrival);
    }
}

void arrivals_free(ucs_list_link_t *arrivals)
{
    while (!ucs_list_is_empty(arrivals))
        arrival_free(ucs_list_extract_head(arrivals, struct arrival, entry));
}
