/* SPDX-License-Identifier: Apache-2.0 */
#include "intruder.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static uint64_t state = 88172645463325252u;

uint64_t intruder_random(uint64_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % limit;
}

int intruder_connect(const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(fd >= 0 && strlen(path) < sizeof(address.sun_path));
    strcpy(address.sun_path, path);
    assert_int_equal(0, connect(fd, (struct sockaddr *)&address, sizeof(address)));
    return fd;
}

bool intruder_was_closed(int fd)
{
    char bytes[256];
    ssize_t got;

    do {
        got = recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT);
    } while (got > 0);
    return got == 0 || (errno != EAGAIN && errno != EINTR);
}

/* Receives the descriptor that is sent with the capacity of the rings. */
static int receive_memory(int socket)
{
    char control[CMSG_SPACE(sizeof(int))] = { 0 };
    uint32_t capacity = 0;
    struct iovec bytes = { &capacity, sizeof(capacity) };
    struct msghdr message = { .msg_iov = &bytes,
        .msg_iovlen = 1,
        .msg_control = control,
        .msg_controllen = sizeof(control) };
    struct pollfd readable = { .fd = socket, .events = POLLIN };
    int fd;

    assert_int_equal(1, poll(&readable, 1, ANSWER_MS));
    assert_int_equal(sizeof(capacity), recvmsg(socket, &message, MSG_CMSG_CLOEXEC));
    assert_int_equal(INTRUDER_CAPACITY, capacity);
    assert_non_null(CMSG_FIRSTHDR(&message));
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(fd));
    return fd;
}

void intruder_enter(struct intruder *intruder, struct worker_process *worker, uint64_t session)
{
    struct channel_ticket ticket;
    struct channel_address address;
    const char *why = "";
    int fd;

    worker_give_ticket(worker, session, TICKET_MS, &ticket, &address);
    intruder->socket = intruder_connect(address.path);
    assert_int_equal(sizeof(ticket), send(intruder->socket, &ticket, sizeof(ticket), 0));
    fd = receive_memory(intruder->socket);
    assert_success(ring_memory_open(fd, INTRUDER_CAPACITY, &intruder->memory, &why));
    close(fd);
    ring_producer_init(&intruder->to_worker, &intruder->memory.rings[0]);
}

bool intruder_put(struct intruder *intruder, const void *bytes, size_t length)
{
    uint8_t *to = ring_reserve(&intruder->to_worker, length);

    if (to == NULL)
        return false;
    memcpy(to, bytes, length);
    ring_commit(&intruder->to_worker, length);
    if (ring_publish(&intruder->to_worker))
        intruder_ring(intruder);
    return true;
}

void intruder_put_frame(struct intruder *intruder, const struct wire_frame *frame)
{
    uint8_t bytes[4096];
    size_t length;

    assert_success(encode_any(frame, bytes, sizeof(bytes), &length));
    assert_true(intruder_put(intruder, bytes, length));
}

void intruder_ring(struct intruder *intruder)
{
    (void)!send(intruder->socket, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void intruder_leave(struct intruder *intruder)
{
    if (intruder->socket >= 0)
        close(intruder->socket);
    ring_memory_free(&intruder->memory);
    *intruder = (struct intruder){ .socket = -1 };
}
