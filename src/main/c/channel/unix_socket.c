/* SPDX-License-Identifier: Apache-2.0 */
/* Unix sockets. */
#include <errno.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <faults/faults.h>

#include "unix_socket.h"

#define UID_NOBODY 65534 /* shown for users that this user namespace does not map */
#define UID_UNKNOWN ((uid_t)-1)
#define PASSED_MAX 2 /* number of descriptors that fit in a padded control message */

int unix_socket_open(void)
{
    return FAULT_CALL(socket_make, socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

doca_error_t unix_socket_connect(int fd, const struct channel_address *address)
{
    struct sockaddr_un to = { .sun_family = AF_UNIX };

    memcpy(to.sun_path, address->path, sizeof(to.sun_path));
    if (FAULT_CALL(socket_connect, connect(fd, (struct sockaddr *)&to, sizeof(to))) == 0)
        return DOCA_SUCCESS;
    if (errno == EAGAIN || errno == EINTR)
        return DOCA_ERROR_AGAIN;
    return errno == EACCES || errno == EPERM ? DOCA_ERROR_NOT_PERMITTED
                                             : DOCA_ERROR_CONNECTION_ABORTED;
}

/*
 * In a user namespace that does not map root, the kernel shows all outside users, also root, as
 * UID_NOBODY. Only the operator knows whether other users can listen at the socket.
 */
static bool is_named_user(uid_t uid)
{
    const char *named = secure_getenv("JUROM_SERVICE_USER");
    char text[sizeof("4294967295")];

    snprintf(text, sizeof(text), "%u", (unsigned)uid);
    return named != NULL && strcmp(named, text) == 0;
}

/* Returns whether each user has a number of its own, so that UID_NOBODY is one user. */
static bool all_users_are_mapped(void)
{
    FILE *map = fopen("/proc/self/uid_map", "re");
    unsigned long long sum = 0;
    unsigned count;

    if (map == NULL)
        return false;
    while (fscanf(map, "%*u %*u %u", &count) == 1)
        sum += count;
    fclose(map);
    return sum == UINT32_MAX;
}

bool unix_socket_peer_is_trusted(int fd, bool or_root, pid_t expected, uid_t *uid, pid_t *pid)
{
    struct ucred peer = { .uid = UID_UNKNOWN };
    socklen_t length = sizeof(peer);

    if (FAULT_CALL(peer_credentials, getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length)) != 0)
        peer = (struct ucred){ .uid = UID_UNKNOWN };
    *uid = peer.uid;
    *pid = peer.pid;
    if (peer.uid == UID_UNKNOWN)
        return false;
    if (or_root && is_named_user(peer.uid))
        return true;
    if (peer.uid == UID_NOBODY && peer.uid == geteuid())
        return (expected != 0 && peer.pid == expected) || all_users_are_mapped();
    return peer.uid == geteuid() || (or_root && peer.uid == 0);
}

bool unix_socket_send(int fd, const void *data, size_t length, int passed)
{
    alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = { 0 };
    struct iovec bytes = {
        .iov_base = (void *)data,
        .iov_len = length,
    };
    struct msghdr message = { .msg_iov = &bytes, .msg_iovlen = 1 };
    struct cmsghdr *header;

    if (passed >= 0) {
        message.msg_control = control;
        message.msg_controllen = sizeof(control);
        header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &passed, sizeof(passed));
    }
    return FAULT_CALL(handshake_send, sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT))
            == (ssize_t)length;
}

/* Collects the descriptors of a message. Returns their number. */
static unsigned passed_descriptors(struct msghdr *message, int found[PASSED_MAX])
{
    struct cmsghdr *header = CMSG_FIRSTHDR(message);
    unsigned count = 0;
    size_t length;

    for (; header != NULL; header = CMSG_NXTHDR(message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
            continue;
        length = header->cmsg_len - CMSG_LEN(0);
        for (size_t i = 0; i < length / sizeof(int) && count < PASSED_MAX; ++i)
            memcpy(&found[count++], CMSG_DATA(header) + i * sizeof(int), sizeof(int));
    }
    return count;
}

static doca_error_t failure_of_receive(ssize_t got)
{
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return DOCA_ERROR_AGAIN;
    return got > 0 ? DOCA_ERROR_UNEXPECTED : DOCA_ERROR_CONNECTION_RESET;
}

doca_error_t unix_socket_receive(int fd, void *data, size_t length, int *passed)
{
    alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    struct iovec bytes = { .iov_base = data, .iov_len = length };
    struct msghdr message = {
        .msg_iov = &bytes,
        .msg_iovlen = 1,
        .msg_control = control,
        .msg_controllen = sizeof(control),
    };
    int found[PASSED_MAX];
    ssize_t got = FAULT_CALL(
            handshake_receive, recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC));
    unsigned count = got < 0 ? 0 : passed_descriptors(&message, found);

    if (got == (ssize_t)length && count == 1 && !(message.msg_flags & MSG_CTRUNC)) {
        *passed = found[0];
        return DOCA_SUCCESS;
    }
    for (unsigned i = 0; i < count; ++i)
        close(found[i]);
    return failure_of_receive(got);
}
