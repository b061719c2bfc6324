/* SPDX-License-Identifier: Apache-2.0 */
/* The status of a channel: open, or ended with the first reason. */
#include <stdarg.h>
#include <stdio.h>

#include <common/sdk_log.h>

#include "channel_private.h"

SDK_LOG_REGISTER(CHANNEL)

void channel_end(struct channel *channel, doca_error_t status, const char *reason)
{
    if (has_ended(channel))
        return;

    channel->status = status;
    snprintf(channel->reason, sizeof(channel->reason), "%s", reason);
    watch_stop(&channel->watch);
    SDK_LOG_DBG("A channel ended with %s: %s", doca_error_get_name(status), reason);
}

void channel_end_because(struct channel *channel, doca_error_t status, const char *format, ...)
{
    char reason[CHANNEL_REASON_MAX];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reason, sizeof(reason), format, arguments);
    va_end(arguments);
    channel_end(channel, status, reason);
}

void channel_end_of_peer(struct channel *channel)
{
    channel_end(channel, DOCA_ERROR_CONNECTION_RESET, "The peer has disconnected.");
}

doca_error_t channel_status(const struct channel *channel)
{
    return channel->status;
}

const char *channel_reason(const struct channel *channel)
{
    return channel->reason;
}

bool channel_peer_disconnected(const struct channel *channel)
{
    return channel->peer_disconnected || has_ended(channel);
}
