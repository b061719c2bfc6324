/* SPDX-License-Identifier: Apache-2.0 */
/* A channel ends: for a reason, once. */
#include <stdarg.h>
#include <stdio.h>

#include <common/sdk_log.h>

#include "inner.h"

SDK_LOG_REGISTER(CHANNEL)

void channel_end(struct channel *channel, doca_error_t status, const char *why)
{
    if (has_ended(channel))
        return;

    channel->status = status;
    snprintf(channel->why, sizeof(channel->why), "%s", why);
    watch_nothing(&channel->watch);
    SDK_LOG_DBG("A channel ended with %s: %s", doca_error_get_name(status), why);
}

void channel_end_because(struct channel *channel, doca_error_t status, const char *format, ...)
{
    char why[WHY_MAX];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(why, sizeof(why), format, arguments);
    va_end(arguments);
    channel_end(channel, status, why);
}

void channel_end_of_peer(struct channel *channel)
{
    channel_end(channel, DOCA_ERROR_CONNECTION_RESET, "The peer has gone.");
}
