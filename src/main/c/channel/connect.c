/* SPDX-License-Identifier: Apache-2.0 */
/* How a channel begins: connecting to a service or a worker, or accepting a host. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <common/sdk_log.h>

#include "inner.h"
#include "local.h"
#include "remote.h"

SDK_LOG_REGISTER(CHANNEL::CONNECT)

static uint32_t failure_level(const struct channel_settings *settings)
{
    return settings->has_alternative ? DOCA_LOG_LEVEL_INFO : DOCA_LOG_LEVEL_ERROR;
}

/* A channel with a socket, before it connects. */
static doca_error_t prepare(const struct channel_address *address,
        const struct channel_settings *settings, struct channel **channel)
{
    int fd = address->local ? local_socket() : remote_socket(address);
    doca_error_t status;

    if (fd < 0) {
        SDK_LOG(failure_level(settings), "No socket could be made%s%s: %s",
                address->device[0] == '\0' ? "" : " for ", address->device, strerror(errno));
        return DOCA_ERROR_OPERATING_SYSTEM;
    }
    status = channel_new(fd, settings, channel);
    if (status != DOCA_SUCCESS)
        SDK_LOG_ERR("A connection cannot be made: %s. Raise the limit of open files (ulimit -n) if "
                    "it is reached.",
                strerror(errno));
    if (status == DOCA_SUCCESS) {
        (*channel)->opening.address = *address;
        (*channel)->settings.why = NULL; /* the caller's, while it connects */
    }
    return status;
}

/* The first step shows most of what is wrong. */
static doca_error_t begin(struct channel *channel, const struct channel_settings *settings,
        struct channel **connected)
{
    doca_error_t status;

    channel->carrier = channel->opening.address.local ? &carrier_connecting_local
                                                      : &carrier_connecting_remote;
    channel_poll(channel, 0);
    status = channel->status;
    if (!has_ended(channel)) {
        *connected = channel;
        return DOCA_SUCCESS;
    }
    SDK_LOG(failure_level(&channel->settings), "%s", channel->why);
    if (settings->why != NULL)
        snprintf(settings->why, settings->why_capacity, "%s", channel->why);
    channel_close(channel);
    return status;
}

doca_error_t channel_connect_service(const struct channel_address *address,
        const struct channel_identity *identity, const struct channel_settings *settings,
        struct channel **channel)
{
    struct channel *made = NULL;
    doca_error_t status;

    if (!address->local && identity == NULL) {
        SDK_LOG_ERR("A UROM service on another machine is reached with a key: set "
                    "DOCA_UROM_KEY_FILE to its file");
        return DOCA_ERROR_NOT_PERMITTED;
    }
    status = prepare(address, settings, &made);
    if (status != DOCA_SUCCESS)
        return status;
    made->opening.to_service = true;
    made->opening.identity = identity;
    return begin(made, settings, channel);
}

doca_error_t channel_connect_worker(const struct channel_address *address,
        const struct channel_ticket *ticket, const struct channel_settings *settings,
        struct channel **channel)
{
    struct channel *made = NULL;
    doca_error_t status = prepare(address, settings, &made);

    if (status != DOCA_SUCCESS)
        return status;
    made->opening.ticket = *ticket;
    return begin(made, settings, channel);
}

static doca_error_t begin_accepting_local(struct channel *channel)
{
    uid_t uid;
    pid_t pid;

    if (!local_peer_is_trusted(channel->watch.fd, false, &uid, &pid)) {
        SDK_LOG_DBG("User %u connected to a worker of another user", (unsigned)uid);
        return DOCA_ERROR_NOT_PERMITTED;
    }
    watch_process(&channel->watch, pid);
    channel->carrier = &carrier_awaiting_ticket;
    return watch_socket(&channel->watch, EPOLLIN) ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY;
}

doca_error_t channel_accept(int fd, bool local, struct channel_doorman *doorman,
        const struct channel_settings *settings, struct channel **channel)
{
    struct channel *made = NULL;
    doca_error_t status;

    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    status = channel_new(fd, settings, &made);
    if (status != DOCA_SUCCESS)
        return status;
    made->opening.doorman = doorman;
    status = local ? begin_accepting_local(made) : opening_accept_remote(made);
    if (status == DOCA_SUCCESS)
        *channel = made;
    else
        channel_close(made);
    return status;
}
