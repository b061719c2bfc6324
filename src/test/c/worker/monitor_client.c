/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor_client.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <testing/assertions.h>
#include <testing/process.h>
#include <worker/launch_files.h>

#define EXIT_MS 20000

extern char **environ;

/* A minimal environment, as from the service, and the options of sanitizers. */
static void execute(int socket)
{
    const char *options = getenv("ASAN_OPTIONS");
    const char *cores = getenv(LAUNCH_CORES);

    clearenv();
    setenv("PATH", "/usr/bin:/bin", 1);
    if (options != NULL)
        setenv("ASAN_OPTIONS", options, 1);
    if (cores != NULL)
        setenv(LAUNCH_CORES, cores, 1);
    if (dup2(socket, STDIN_FILENO) == STDIN_FILENO)
        execle(UROM_WORKER, UROM_WORKER, "--monitor", UROM_WORKER, NULL, environ);
    _exit(127);
}

void monitor_open(struct monitor_client *client)
{
    int ends[2];

    assert_int_equal(0, socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends));
    client->pid = fork();
    if (client->pid == 0)
        execute(ends[1]);
    assert_true(client->pid > 0);
    close(ends[1]);
    client->socket = ends[0];
}

void monitor_send_bytes(const struct monitor_client *client, const void *bytes, size_t length,
        const int *descriptors, unsigned count)
{
    union {
        char bytes[CMSG_SPACE(2 * MONITOR_DESCRIPTORS_MAX * sizeof(int))];
        struct cmsghdr aligned;
    } control;
    struct iovec part = { (void *)bytes, length };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

    if (count > 0) {
        memset(&control, 0, sizeof(control));
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        CMSG_FIRSTHDR(&message)->cmsg_level = SOL_SOCKET;
        CMSG_FIRSTHDR(&message)->cmsg_type = SCM_RIGHTS;
        CMSG_FIRSTHDR(&message)->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(CMSG_FIRSTHDR(&message)), descriptors, count * sizeof(int));
    }
    assert_int_equal(length, sendmsg(client->socket, &message, MSG_NOSIGNAL));
}

void monitor_send(const struct monitor_client *client, struct monitor_request request,
        const char *const strings[], const int *descriptors, unsigned count)
{
    static char bytes[MONITOR_REQUEST_MAX];
    size_t length = sizeof(request);

    for (; strings[request.count] != NULL; ++request.count) {
        size_t added = strlen(strings[request.count]) + 1;

        assert_true(length + added <= sizeof(bytes));
        memcpy(bytes + length, strings[request.count], added);
        length += added;
    }
    memcpy(bytes, &request, sizeof(request));
    monitor_send_bytes(client, bytes, length, descriptors, count);
}

void monitor_receive_event(const struct monitor_client *client, struct monitor_event *event,
        char reason[MONITOR_REASON_MAX + 1], int milliseconds)
{
    struct pollfd readable = { .fd = client->socket, .events = POLLIN };
    struct iovec parts[] = {
        { event, sizeof(*event) },
        { reason, MONITOR_REASON_MAX },
    };
    struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };
    ssize_t length;

    assert_int_equal(1, poll(&readable, 1, milliseconds));
    length = recvmsg(client->socket, &message, 0);
    assert_true(length >= (ssize_t)sizeof(*event));
    reason[(size_t)length - sizeof(*event)] = '\0';
}

void monitor_close(struct monitor_client *client)
{
    if (client->pid <= 0)
        return;
    if (client->socket >= 0)
        close(client->socket);
    await_exit(client->pid, EXIT_MS);
    *client = (struct monitor_client){ .socket = -1 };
}
