/* SPDX-License-Identifier: Apache-2.0 */
/* Creation of channels: connecting to a service or a worker, or accepting a host. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <common/sdk_log.h>

#include "channel_private.h"
#include "unix_socket.h"
#include "tcp_socket.h"

SDK_LOG_REGISTER(CHANNEL::CONNECT)

static uint32_t failure_level(const struct channel_settings *settings)
{
    return settings->has_alternative ? DOCA_LOG_LEVEL_INFO : DOCA_LOG_LEVEL_ERROR;
}

/* Creates a channel with an unconnected socket. */
static doca_error_t prepare(const struct channel_address *address,
        const struct channel_settings *settings, struct channel **channel)
{
    int fd = address->local ? unix_socket_open() : tcp_socket_open(address);
    doca_error_t status;

    if (fd < 0) {
        SDK_LOG(failure_level(settings), "No socket could be created%s%s: %s",
                address->device[0] == '\0' ? "" : " for ", address->device, strerror(errno));
        return DOCA_ERROR_OPERATING_SYSTEM;
    }
    status = channel_new(fd, settings, channel);
    if (status != DOCA_SUCCESS)
        SDK_LOG_ERR(
                "A connection cannot be created: %s. Raise the limit of open files (ulimit -n) if "
                "it is reached.",
                strerror(errno));
    if (status == DOCA_SUCCESS) {
        (*channel)->handshake.address = *address;
        (*channel)->settings.reason = NULL; /* valid only during the connect */
    }
    return status;
}

/* Performs the first step, which detects most errors. */
static doca_error_t begin(struct channel *channel, const struct channel_settings *settings,
        struct channel **connected)
{
    doca_error_t status;

    channel->transport = channel->handshake.address.local ? &transport_connecting_local
                                                          : &transport_connecting_remote;
    channel_poll(channel, 0);
    status = channel->status;
    if (!has_ended(channel)) {
        *connected = channel;
        return DOCA_SUCCESS;
    }
    SDK_LOG(failure_level(&channel->settings), "%s", channel->reason);
    if (settings->reason != NULL)
        snprintf(settings->reason, settings->reason_capacity, "%s", channel->reason);
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
        SDK_LOG_ERR(
                "A UROM service that listens on TCP requires a key: set DOCA_UROM_KEY_FILE to the "
                "key file");
        return DOCA_ERROR_NOT_PERMITTED;
    }
    status = prepare(address, settings, &made);
    if (status != DOCA_SUCCESS)
        return status;
    made->handshake.to_service = true;
    made->handshake.identity = identity;
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
    made->handshake.ticket = *ticket;
    return begin(made, settings, channel);
}

static doca_error_t begin_accepting_local(struct channel *channel)
{
    uid_t uid;
    pid_t pid;

    if (!unix_socket_peer_is_trusted(
                channel->watch.fd, false, channel->settings.service, &uid, &pid)) {
        SDK_LOG_DBG("User %u connected to a worker of another user", (unsigned)uid);
        return DOCA_ERROR_NOT_PERMITTED;
    }
    watch_process(&channel->watch, pid);
    channel->transport = &transport_awaiting_ticket;
    return watch_socket(&channel->watch, EPOLLIN) ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY;
}

doca_error_t channel_accept(int fd, bool local, struct channel_authenticator *authenticator,
        const struct channel_settings *settings, struct channel **channel)
{
    struct channel *made = NULL;
    doca_error_t status;

    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    status = channel_new(fd, settings, &made);
    if (status != DOCA_SUCCESS)
        return status;
    made->handshake.authenticator = authenticator;
    status = local ? begin_accepting_local(made) : handshake_accept_remote(made);
    if (status == DOCA_SUCCESS)
        *channel = made;
    else
        channel_close(made);
    return status;
}
