/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <faults/faults.h>

#include "worker.h"

#define UNIX_BACKLOG 1024
#define TCP_BACKLOG 4096 /* the kernel's own limit may be lower */
#define ACCEPTED_AT_ONCE 16

static bool listen_and_watch(struct worker *worker, struct listener *listener, int backlog)
{
    listener->source.kind = SOURCE_LISTENER;
    return FAULT_CALL(worker_listen, listen(listener->fd, backlog)) == 0
            && events_watch(&worker->events, listener->fd, &listener->source, EPOLLIN);
}

doca_error_t listeners_init(struct worker *worker, int unix_socket, char reason[REASON_MAX])
{
    struct listeners *listeners = &worker->listeners;
    struct listener *first = &listeners->at[0];

    for (unsigned i = 0; i < LISTENERS_MAX; ++i)
        listeners->at[i].fd = -1;
    listeners->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (unix_socket < 0)
        return DOCA_SUCCESS;

    *first = (struct listener){ .fd = unix_socket, .local = true };
    if (fcntl(unix_socket, F_SETFD, FD_CLOEXEC) != 0 || fcntl(unix_socket, F_SETFL, O_NONBLOCK) != 0
            || !listen_and_watch(worker, first, UNIX_BACKLOG))
        return fail_with(reason, DOCA_ERROR_OPERATING_SYSTEM,
                "the worker cannot listen on its Unix socket: %s", strerror(errno));
    return DOCA_SUCCESS;
}

static void close_listener(struct worker *worker, struct listener *listener)
{
    if (listener->fd >= 0) {
        events_unwatch(&worker->events, listener->fd);
        close(listener->fd);
    }
    listener->fd = -1;
}

static bool is_suitable(const struct listener *listener, const struct wire_ticket *ticket)
{
    return listener->fd >= 0 && !listener->local
            && strlen(listener->address) == ticket->address.length
            && memcmp(listener->address, ticket->address.data, ticket->address.length) == 0
            && (ticket->port_high == 0
                    || (listener->port >= ticket->port_low && listener->port <= ticket->port_high));
}

static uint32_t bound_port(int fd)
{
    struct sockaddr_storage address;
    socklen_t length = sizeof(address);

    if (getsockname(fd, (struct sockaddr *)&address, &length) != 0)
        return 0;
    return ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                               : ((struct sockaddr_in *)&address)->sin_port);
}

static void set_port(struct sockaddr *address, uint32_t port)
{
    if (address->sa_family == AF_INET6)
        ((struct sockaddr_in6 *)address)->sin6_port = htons((uint16_t)port);
    else
        ((struct sockaddr_in *)address)->sin_port = htons((uint16_t)port);
}

/*
 * Does not set TCP_DEFER_ACCEPT, which keeps silent connections in the SYN queue: a flood fills the
 * queue within a second, and hosts then depend on SYN cookies.
 *
 * With SO_REUSEADDR two workers can bind the same port, but only one can listen on it.
 */
static bool open_at(struct worker *worker, struct listener *listener,
        const struct addrinfo *address, uint32_t port)
{
    int yes = 1;

    set_port(address->ai_addr, port);
    listener->fd = FAULT_CALL(tcp_listener_make,
            socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (listener->fd < 0)
        return false;
    if (setsockopt(listener->fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) == 0
            && bind(listener->fd, address->ai_addr, address->ai_addrlen) == 0
            && listen_and_watch(worker, listener, TCP_BACKLOG)) {
        listener->port = bound_port(listener->fd);
        return true;
    }
    close(listener->fd);
    listener->fd = -1;
    return false;
}

/* Starts at a port derived from the process id, so that workers do not all try the same ports. */
static bool open_within(struct worker *worker, struct listener *listener,
        const struct addrinfo *address, const struct wire_ticket *ticket)
{
    uint32_t count = ticket->port_high - ticket->port_low + 1;
    uint32_t start = (uint32_t)getpid() % count;
    bool opened = false;

    for (uint32_t i = 0; i < count && !opened; ++i) {
        opened = open_at(worker, listener, address, ticket->port_low + (start + i) % count);
        if (!opened && errno != EADDRINUSE && errno != EACCES)
            break;
    }
    return opened;
}

static doca_error_t open_new(struct worker *worker, struct listener *listener,
        const struct wire_ticket *ticket, char reason[REASON_MAX])
{
    const struct addrinfo hints = {
        .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
        .ai_socktype = SOCK_STREAM,
    };
    struct addrinfo *address = NULL;
    bool opened = false;

    *listener = (struct listener){ .fd = -1 };
    if (ticket->address.length < sizeof(listener->address))
        memcpy(listener->address, ticket->address.data, ticket->address.length);
    if (getaddrinfo(listener->address, "0", &hints, &address) != 0)
        return fail_with(reason, DOCA_ERROR_INVALID_VALUE, "\"%.*s\" is not a numeric IP address",
                (int)ticket->address.length, (const char *)ticket->address.data);
    opened = open_within(worker, listener, address, ticket);
    freeaddrinfo(address);
    if (opened)
        return DOCA_SUCCESS;
    if (ticket->port_high == 0)
        return fail_with(reason, DOCA_ERROR_IO_FAILED, "the worker cannot listen at %s: %s",
                listener->address, strerror(errno));
    return fail_with(reason, DOCA_ERROR_IO_FAILED,
            "the worker cannot listen at %s on any port from %u "
            "to %u: %s. Widen the service's range with --worker-ports.",
            listener->address, ticket->port_low, ticket->port_high, strerror(errno));
}

doca_error_t listeners_join(struct worker *worker, const struct wire_ticket *ticket,
        struct listener **listener, char reason[REASON_MAX])
{
    struct listener *found = NULL;
    doca_error_t status = DOCA_SUCCESS;

    for (unsigned i = 0; i < LISTENERS_MAX && found == NULL; ++i) {
        if (is_suitable(&worker->listeners.at[i], ticket))
            found = &worker->listeners.at[i];
    }
    for (unsigned i = 1; i < LISTENERS_MAX && found == NULL; ++i) {
        if (worker->listeners.at[i].fd < 0)
            found = &worker->listeners.at[i];
    }
    if (found == NULL)
        return fail_with(reason, DOCA_ERROR_FULL,
                "the worker already listens at %d addresses, the "
                "maximum; try again when their tickets have been used",
                LISTENERS_MAX - 1);
    if (found->fd < 0)
        status = open_new(worker, found, ticket, reason);
    if (status == DOCA_SUCCESS) {
        ++found->tickets;
        *listener = found;
    }
    return status;
}

void listeners_leave(struct worker *worker, struct listener *listener)
{
    if (--listener->tickets == 0)
        close_listener(worker, listener);
}

/*
 * Out of descriptors: accepts with the spare one and closes the connection, because epoll would
 * otherwise report the listener forever.
 */
static void reject_one(struct worker *worker, const struct listener *listener)
{
    int *spare = &worker->listeners.spare;
    int fd;

    if (*spare >= 0)
        close(*spare);
    fd = accept4(listener->fd, NULL, NULL, SOCK_CLOEXEC);
    if (fd >= 0)
        close(fd);
    *spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

void listeners_accept(struct worker *worker, struct listener *listener,
        void (*accept)(struct worker *worker, int fd, bool local))
{
    for (unsigned i = 0; i < ACCEPTED_AT_ONCE && listener->fd >= 0; ++i) {
        int fd = FAULT_CALL(
                worker_accept, accept4(listener->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC));

        if (fd >= 0)
            accept(worker, fd, listener->local);
        else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
            reject_one(worker, listener);
        else if (errno != ECONNABORTED && errno != EINTR)
            break;
    }
}
