/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "monitor_request.h"

/* The fields of each kind of request. */
static const struct {
    uint32_t flags; /* allowed */
    uint32_t least; /* strings */
    uint32_t descriptors;
    bool user;
} kinds[] = {
    [MONITOR_START] = { MONITOR_HAS_LOG | MONITOR_SHARES_LOG | MONITOR_HAS_COUNTERS, 1, 2, false },
    [MONITOR_PROBE] = { MONITOR_AS_NOBODY, 1, 1, false },
    [MONITOR_SWEEP] = { 0, 0, 0, true },
    [MONITOR_KILL] = { 0, 0, 0, false },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static void take_descriptors(struct received *received, struct msghdr *message)
{
    for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header != NULL;
            header = CMSG_NXTHDR(message, header)) {
        size_t length = header->cmsg_len - CMSG_LEN(0);

        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS
                || length > sizeof(received->descriptor))
            continue;
        memcpy(received->descriptor, CMSG_DATA(header), length);
        received->descriptors = (unsigned)(length / sizeof(int));
    }
}

/* Returns the number of bytes, or -1. The kernel closes descriptors that exceed the maximum. */
static ssize_t receive(int socket, struct received *received, int *flags)
{
    union {
        char bytes[CMSG_SPACE(MONITOR_DESCRIPTORS_MAX * sizeof(int))];
        struct cmsghdr aligned;
    } control;
    struct iovec parts[] = {
        { &received->request, sizeof(received->request) },
        { received->bytes, sizeof(received->bytes) },
    };
    struct msghdr message = {
        .msg_iov = parts,
        .msg_iovlen = 2,
        .msg_control = &control,
        .msg_controllen = sizeof(control),
    };
    ssize_t length;

    do {
        length = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    } while (length < 0 && errno == EINTR);
    if (length >= 0) /* an empty message can have descriptors */
        take_descriptors(received, &message);
    *flags = message.msg_flags;
    return length;
}

/* Returns whether `length` bytes are exactly the strings of the request. */
static bool split_strings(struct received *received, size_t length)
{
    char *next = received->bytes;
    const char *end = next + length;

    if (received->request.count > MONITOR_STRINGS_MAX)
        return false;
    for (uint32_t i = 0; i < received->request.count; ++i) {
        char *nul = memchr(next, '\0', (size_t)(end - next));

        if (nul == NULL || nul == next)
            return false;
        received->string[i] = next;
        next = nul + 1;
    }
    received->string[received->request.count] = NULL;
    return next == end;
}

static unsigned expected_descriptors(const struct monitor_request *request)
{
    return kinds[request->kind].descriptors + (request->flags & MONITOR_HAS_LOG ? 1 : 0)
            + (request->flags & MONITOR_HAS_COUNTERS ? 1 : 0);
}

static bool are_valid(const struct received *received)
{
    if (received->request.kind != MONITOR_PROBE)
        return true;
    for (uint32_t i = 1; i < received->request.count; ++i) {
        if (strchr(received->string[i], '=') == NULL)
            return false;
    }
    return received->string[0][0] == '/';
}

/* Returns the name of the first field that is invalid, or NULL. */
static const char *invalid_field(struct received *received, size_t length, int flags)
{
    const struct monitor_request *request = &received->request;
    const uint32_t logs = MONITOR_HAS_LOG | MONITOR_SHARES_LOG;

    if (length < sizeof(*request) || flags & MSG_TRUNC)
        return "length";
    if (request->kind < MONITOR_START || request->kind >= KINDS)
        return "kind";
    if (request->flags & ~kinds[request->kind].flags || (request->flags & logs) == logs)
        return "flags";
    if (request->id == 0)
        return "id";
    if (kinds[request->kind].user ? request->user == UINT32_MAX : request->user != 0)
        return "user";
    if (request->count < kinds[request->kind].least
            || (kinds[request->kind].least == 0 && request->count > 0))
        return "number of strings";
    if (!split_strings(received, length - sizeof(*request)) || !are_valid(received))
        return "strings";
    if (flags & MSG_CTRUNC || received->descriptors != expected_descriptors(request))
        return "descriptors";
    return NULL;
}

/* Distinguishes the end of the socket from an empty message. */
static bool is_closed(int socket)
{
    struct pollfd state = { .fd = socket, .events = POLLRDHUP };

    return poll(&state, 1, 0) != 0;
}

bool monitor_receive(
        int socket, struct received *received, doca_error_t *status, char reason[REASON_MAX])
{
    const char *field;
    int flags = 0;
    ssize_t length;

    received->descriptors = 0;
    memset(&received->request, 0, sizeof(received->request));
    length = receive(socket, received, &flags);
    if (length < 0 || (length == 0 && is_closed(socket)))
        return false;
    field = invalid_field(received, (size_t)length, flags);
    *status = DOCA_SUCCESS;
    if (field != NULL)
        *status = fail_with(reason, DOCA_ERROR_INVALID_VALUE,
                "the launcher received a malformed request: its %s", field);
    if ((size_t)length < sizeof(received->request))
        received->request.id = 0;
    return true;
}

void monitor_release(struct received *received)
{
    for (unsigned i = 0; i < received->descriptors; ++i)
        close(received->descriptor[i]);
    received->descriptors = 0;
}
