/* SPDX-License-Identifier: Apache-2.0 */
/* TCP sockets. */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <faults/faults.h>

#include "tcp_socket.h"

#define KEEP_ALIVE_IDLE 5  /* seconds without data before the first probe */
#define KEEP_ALIVE_EVERY 1 /* seconds between probes */
#define KEEP_ALIVE_COUNT 5 /* unanswered probes */
#define USER_TIMEOUT 10000 /* ms that sent data may remain unacknowledged */

static void set(int fd, int level, int option, int value)
{
    /* The option is optional, so errors are ignored. */
    (void)!setsockopt(fd, level, option, &value, sizeof(value));
}

void tcp_socket_tune(int fd)
{
    set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    set(fd, IPPROTO_TCP, TCP_KEEPIDLE, KEEP_ALIVE_IDLE);
    set(fd, IPPROTO_TCP, TCP_KEEPINTVL, KEEP_ALIVE_EVERY);
    set(fd, IPPROTO_TCP, TCP_KEEPCNT, KEEP_ALIVE_COUNT);
    set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, USER_TIMEOUT);
}

int tcp_socket_open(const struct channel_address *address)
{
    int fd = FAULT_CALL(tcp_socket_make,
            socket(address->socket.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    int error;

    if (fd < 0)
        return -1;
    tcp_socket_tune(fd);
    if (address->device[0] != '\0'
            && setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, address->device,
                       (socklen_t)strnlen(address->device, IFNAMSIZ))
                    != 0) {
        error = errno;
        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

doca_error_t tcp_socket_connect(int fd, const struct channel_address *address)
{
    if (FAULT_CALL(tcp_connect,
                connect(fd, (const struct sockaddr *)&address->socket, address->socket_length))
            == 0)
        return DOCA_SUCCESS;
    return errno == EINPROGRESS || errno == EINTR ? DOCA_ERROR_AGAIN
                                                  : DOCA_ERROR_CONNECTION_ABORTED;
}

doca_error_t tcp_socket_connected(int fd)
{
    struct pollfd writable = { .fd = fd, .events = POLLOUT };
    int error = 0;
    socklen_t length = sizeof(error);

    if (poll(&writable, 1, 0) < 1)
        return DOCA_ERROR_AGAIN;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) == 0 && error == 0)
        return DOCA_SUCCESS;
    errno = error;
    return DOCA_ERROR_CONNECTION_ABORTED;
}

void tcp_socket_name(const struct channel_address *address, char *text, size_t capacity)
{
    char host[NI_MAXHOST] = "?";
    char port[NI_MAXSERV] = "?";

    (void)!getnameinfo((const struct sockaddr *)&address->socket, address->socket_length, host,
            sizeof(host), port, sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(text, capacity, "%s port %s", host, port);
}
