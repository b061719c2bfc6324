/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The handshake over a Unix socket.
 *
 *     host                                     service
 *     connects, checks the listener  ------->  accepts                       both: a stream
 *
 *     host                                     worker
 *     connects, checks the listener
 *     ticket, 48 bytes               ------->  checks the user of the host and the ticket
 *     checks and maps the memory     <-------  capacity u32, and the memory of the rings
 */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <common/idle.h>
#include <faults/faults.h>

#include "channel_private.h"
#include "unix_socket.h"

#define UID_NOBODY 65534     /* shown for users that this user namespace does not map */
#define TRY_AGAIN_NS 1000000 /* while the backlog of the listener is full */

_Static_assert(sizeof(struct channel_ticket) == WIRE_TICKET_SIZE,
        "a ticket is received into this structure");

enum ring_number {
    RING_TO_WORKER,
    RING_TO_HOST,
};

static void end_unreachable(struct channel *channel, doca_error_t status)
{
    channel_end_because(channel, status, "%s at %s cannot be reached: %s.",
            channel->handshake.to_service ? "The UROM service" : "The worker",
            channel->handshake.address.path, strerror(errno));
}

static void end_distrusted(struct channel *channel, uid_t uid)
{
    channel_end_because(channel, DOCA_ERROR_NOT_PERMITTED,
            "The process that listens at %s runs as user %u, not as the user of this process%s.%s",
            channel->handshake.address.path, (unsigned)uid,
            channel->handshake.to_service ? " or root" : "",
            channel->handshake.to_service && uid == UID_NOBODY
                    ? " If root's service runs outside of this user namespace, set "
                      "JUROM_SERVICE_USER=65534."
                    : "");
}

static void send_ticket(struct channel *channel)
{
    const struct channel_ticket *ticket = &channel->handshake.ticket;
    uint8_t shown[WIRE_TICKET_SIZE];

    memcpy(shown, ticket->id, WIRE_TICKET_ID_SIZE);
    memcpy(shown + WIRE_TICKET_ID_SIZE, ticket->key, WIRE_TICKET_KEY_SIZE);
    FAULT_BYTES(ticket_bytes, shown, sizeof(shown));
    FAULT_DROP(host_ticket_showing, channel->watch.fd);
    if (unix_socket_send(channel->watch.fd, shown, sizeof(shown), -1))
        channel->transport = &transport_awaiting_rings;
    else
        channel_end_of_peer(channel);
    explicit_bzero(shown, sizeof(shown));
    FAULT_DROP(host_ticket_shown, channel->watch.fd);
}

/* Checks the peer and continues the handshake. */
static void connected(struct channel *channel)
{
    struct handshake *handshake = &channel->handshake;
    pid_t expected = handshake->to_service ? getpid() : handshake->address.process;
    uid_t uid;
    pid_t pid;

    if (!unix_socket_peer_is_trusted(
                channel->watch.fd, handshake->to_service, expected, &uid, &pid)) {
        end_distrusted(channel, uid);
    } else if (!watch_socket(&channel->watch, EPOLLIN)) {
        channel_end(channel, DOCA_ERROR_NO_MEMORY, "The socket cannot be added to epoll.");
    } else if (handshake->to_service) {
        if (stream_open(channel, NULL) != DOCA_SUCCESS)
            channel_end(channel, DOCA_ERROR_NO_MEMORY, "There is no memory for a connection.");
    } else {
        watch_process(&channel->watch, pid);
        send_ticket(channel);
    }
}

static unsigned poll_connecting(struct channel *channel, unsigned frames)
{
    struct handshake *handshake = &channel->handshake;
    uint64_t now = idle_now_ns();
    doca_error_t status;

    (void)frames;
    if (now < handshake->next_try)
        return 0;
    status = unix_socket_connect(channel->watch.fd, &handshake->address);
    if (status == DOCA_ERROR_AGAIN) {
        handshake->next_try = now + TRY_AGAIN_NS;
        return 0;
    }
    if (status == DOCA_SUCCESS)
        connected(channel);
    else
        end_unreachable(channel, status);
    return 1;
}

/* Only the timer wakes: a full backlog is not observable by epoll. */
static bool arm_connecting(struct channel *channel, bool reading)
{
    uint64_t now = idle_now_ns();

    (void)reading;
    return now < channel->handshake.next_try
            && watch_timer(&channel->watch, channel->handshake.next_try - now) == DOCA_SUCCESS;
}

const struct transport transport_connecting_local = {
    .poll = poll_connecting,
    .put = handshake_put,
    .push = handshake_nothing,
    .arm = arm_connecting,
    .close = handshake_nothing,
};

/* Also detects the end of a peer whose socket another process holds open. */
static unsigned end_if_disconnected(struct channel *channel)
{
    if (!(watch_poll(&channel->watch) & WATCH_DISCONNECTED))
        return 0;
    channel_end_of_peer(channel);
    return 1;
}

static void take_rings(struct channel *channel, uint32_t capacity, int fd)
{
    size_t expected = ring_capacity_for(channel->settings.max_message_size);
    const char *reason = "The worker offers rings of a different size than agreed.";
    doca_error_t status = DOCA_ERROR_UNEXPECTED;

    FAULT_DROP(host_rings_received, channel->watch.fd);
    if (capacity == expected)
        status = ring_memory_open(fd, capacity, &channel->ring.memory, &reason);
    close(fd);
    if (status == DOCA_SUCCESS)
        status = ring_link_open(channel, RING_TO_WORKER);
    if (status != DOCA_SUCCESS)
        channel_end(channel, status, reason);
}

static unsigned poll_awaiting_rings(struct channel *channel, unsigned frames)
{
    uint32_t capacity = 0;
    int fd = -1;
    doca_error_t status = unix_socket_receive(channel->watch.fd, &capacity, sizeof(capacity), &fd);

    (void)frames;
    if (status == DOCA_ERROR_AGAIN)
        return end_if_disconnected(channel);
    if (status == DOCA_SUCCESS)
        take_rings(channel, capacity, fd);
    else if (status == DOCA_ERROR_CONNECTION_RESET)
        channel_end(channel, status, "The worker has exited or rejected the ticket.");
    else
        channel_end(channel, status, "The worker answered the ticket without passing its rings.");
    return 1;
}

const struct transport transport_awaiting_rings = {
    .poll = poll_awaiting_rings,
    .put = handshake_put,
    .push = handshake_nothing,
    .arm = handshake_arm,
    .close = handshake_nothing,
};

static void pass_rings(struct channel *channel)
{
    uint32_t capacity = (uint32_t)ring_capacity_for(channel->settings.max_message_size);
    int fd = -1;
    doca_error_t status = ring_memory_create(capacity, &channel->ring.memory, &fd);
    bool exceeds_limit = status != DOCA_SUCCESS && errno == EFBIG;

    if (status == DOCA_SUCCESS
            && !unix_socket_send(channel->watch.fd, &capacity, sizeof(capacity), fd))
        status = DOCA_ERROR_CONNECTION_RESET;
    FAULT_DROP(worker_rings_sent, channel->watch.fd);
    if (fd >= 0)
        close(fd);
    if (status == DOCA_SUCCESS)
        status = ring_link_open(channel, RING_TO_HOST);
    if (status != DOCA_SUCCESS)
        channel_end_because(channel, status, "The rings cannot be created or passed to the host%s.",
                exceeds_limit ? ": raise the limit of the size of files (ulimit -f)" : "");
}

static void check_ticket(struct channel *channel)
{
    struct handshake *handshake = &channel->handshake;
    const struct channel_ticket *open = handshake->authenticator->find(
            handshake->authenticator, handshake->ticket.id);

    FAULT_DROP(worker_ticket_shown, channel->watch.fd);
    if (open != NULL && wire_equal(open->key, handshake->ticket.key, WIRE_TICKET_KEY_SIZE))
        pass_rings(channel);
    else
        channel_end(channel, DOCA_ERROR_NOT_PERMITTED, "A host presented no valid ticket.");
}

static unsigned poll_awaiting_ticket(struct channel *channel, unsigned frames)
{
    struct handshake *handshake = &channel->handshake;
    ssize_t got = FAULT_TRANSFER(ticket_receive,
            recv(channel->watch.fd, (uint8_t *)&handshake->ticket + handshake->got,
                    FAULT_LENGTH(ticket_receive, WIRE_TICKET_SIZE - handshake->got), MSG_DONTWAIT));

    (void)frames;
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return end_if_disconnected(channel);
    if (got <= 0) {
        channel_end(channel, DOCA_ERROR_CONNECTION_RESET,
                "A host disconnected before it presented a ticket.");
        return 1;
    }
    handshake->got += (size_t)got;
    if (handshake->got == WIRE_TICKET_SIZE)
        check_ticket(channel);
    return 1;
}

const struct transport transport_awaiting_ticket = {
    .poll = poll_awaiting_ticket,
    .put = handshake_put,
    .push = handshake_nothing,
    .arm = handshake_arm,
    .close = handshake_nothing,
};
