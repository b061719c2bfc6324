/* SPDX-License-Identifier: Apache-2.0 */
#include "cancellation.h"

#include <common/idle.h>
#include <jurom.h>

#include "worker.h"

static const struct worker *own; /* of this process; NULL: none */

void cancellation_open(const struct worker *worker)
{
    own = worker;
}

static doca_error_t check(const struct connection *connection, const struct pending_entry *entry)
{
    if (entry->cancelled || channel_is_cancelled(connection->channel, entry->id))
        return DOCA_ERROR_SKIPPED;
    return entry->deadline != 0 && idle_now_ns() >= entry->deadline ? DOCA_ERROR_TIME_OUT
                                                                    : DOCA_SUCCESS;
}

doca_error_t cancellation_check(
        const struct worker *worker, const struct urom_worker_cmd_desc *command)
{
    const struct connection *connection = connections_find(&worker->connections, command->dest_id);
    const struct pending_entry *entry = connection == NULL
            ? NULL
            : pending_find(&connection->pending, command->worker_cmd.urom_context);

    return entry == NULL ? DOCA_ERROR_SKIPPED : check(connection, entry);
}

doca_error_t cancellation_check_arrived(
        const struct connection *connection, uint64_t request_id, uint64_t deadline)
{
    struct pending_entry *entry;

    if (deadline == 0)
        return channel_is_cancelled(connection->channel, request_id) ? DOCA_ERROR_SKIPPED
                                                                     : DOCA_SUCCESS;
    entry = pending_find(&connection->pending, request_id);
    if (entry == NULL)
        return DOCA_ERROR_SKIPPED;
    entry->deadline = deadline;
    return check(connection, entry);
}

uint32_t jurom_worker_is_wanted(const struct urom_worker_cmd_desc *command)
{
    return own == NULL || cancellation_check(own, command) == DOCA_SUCCESS;
}

uint64_t jurom_worker_deadline(const struct urom_worker_cmd_desc *command)
{
    const struct connection *connection = own == NULL
            ? NULL
            : connections_find(&own->connections, command->dest_id);
    const struct pending_entry *entry = connection == NULL
            ? NULL
            : pending_find(&connection->pending, command->worker_cmd.urom_context);

    return entry == NULL ? 0 : entry->deadline;
}
