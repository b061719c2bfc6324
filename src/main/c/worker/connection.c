/* SPDX-License-Identifier: Apache-2.0 */
/* The table of connections. */
#include <stdlib.h>
#include <sys/random.h>

#include "connection.h"

doca_error_t connections_init(struct connections *connections)
{
    connections->at = calloc(CONNECTIONS_MAX, sizeof(*connections->at));
    return connections->at == NULL ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS;
}

void connections_free(struct connections *connections)
{
    for (uint32_t place = 0; place < CONNECTIONS_MAX; ++place) {
        if (connections->at[place] != NULL)
            connection_close(connections, connections->at[place]);
    }
    free(connections->at);
}

/* Random bits above the place; never 0 as a whole. */
static doca_error_t make_id(uint32_t place, uint32_t *id)
{
    uint32_t random;

    do {
        if (getrandom(&random, sizeof(random), 0) != sizeof(random))
            return DOCA_ERROR_OPERATING_SYSTEM;
        *id = random / CONNECTIONS_MAX * CONNECTIONS_MAX + place;
    } while (*id == 0);
    return DOCA_SUCCESS;
}

doca_error_t connection_open(struct connections *connections, struct net *net, const void *address,
        uint32_t max_tasks, struct connection **connection)
{
    struct connection *made;
    doca_error_t status;
    uint32_t place = 0;

    while (place < CONNECTIONS_MAX && connections->at[place] != NULL)
        ++place;
    if (place == CONNECTIONS_MAX)
        return DOCA_ERROR_FULL;
    made = calloc(1, sizeof(*made));
    if (made == NULL)
        return DOCA_ERROR_NO_MEMORY;

    made->max_tasks = max_tasks;
    status = make_id(place, &made->id);
    if (status == DOCA_SUCCESS)
        status = net_connect(&made->endpoint, net, address);
    if (status != DOCA_SUCCESS) {
        free(made);
        return status;
    }
    connections->at[place] = made;
    ++connections->count;
    *connection = made;
    return DOCA_SUCCESS;
}

void connection_close(struct connections *connections, struct connection *connection)
{
    connections->at[connection->id % CONNECTIONS_MAX] = NULL;
    connections->pending -= connection->pending;
    --connections->count;
    net_finish(&connection->endpoint);
    free(connection);
}
