/* SPDX-License-Identifier: Apache-2.0 */
#include "raw_session.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define SPAWN_REQUEST_ID 77

static void set_deadline(int fd)
{
    struct timeval time = { .tv_sec = SESSION_MS / 1000 };

    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof(time));
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof(time));
}

static int connected(int fd, const struct sockaddr *address, socklen_t length)
{
    if (fd < 0)
        return -1;
    set_deadline(fd);
    if (connect(fd, address, length) == 0)
        return fd;
    close(fd);
    return -1;
}

int session_unix(const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };

    if (strlen(path) >= sizeof(address.sun_path))
        return -1;
    strcpy(address.sun_path, path);
    return connected(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), (struct sockaddr *)&address,
            sizeof(address));
}

int session_tcp(unsigned port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)port),
        .sin_addr = { .s_addr = htonl(INADDR_LOOPBACK) },
    };

    return connected(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), (struct sockaddr *)&address,
            sizeof(address));
}

bool session_send(int fd, const void *bytes, size_t length)
{
    const uint8_t *next = bytes;

    while (length > 0) {
        ssize_t sent = send(fd, next, length, MSG_NOSIGNAL);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        next += sent;
        length -= (size_t)sent;
    }
    return true;
}

bool session_send_frame(int fd, const struct wire_frame *frame)
{
    uint8_t bytes[1024];
    size_t length;

    return wire_encode(frame, bytes, sizeof(bytes), &length) == DOCA_SUCCESS
            && session_send(fd, bytes, length);
}

static bool read_all(int fd, uint8_t *bytes, size_t length, bool *late)
{
    while (length > 0) {
        ssize_t got = recv(fd, bytes, length, 0);

        if (got < 0 && errno == EINTR)
            continue;
        *late = got < 0 && errno == EAGAIN;
        if (got <= 0)
            return false;
        bytes += got;
        length -= (size_t)got;
    }
    return true;
}

size_t session_read(int fd, uint8_t bytes[FRAME_READ_MAX], bool *late)
{
    uint32_t body;

    *late = false;
    if (!read_all(fd, bytes, WIRE_HEADER_SIZE, late))
        return 0;
    memcpy(&body, bytes + 4, sizeof(body));
    if (body > FRAME_READ_MAX - WIRE_HEADER_SIZE
            || !read_all(fd, bytes + WIRE_HEADER_SIZE, body, late))
        return 0;
    return WIRE_HEADER_SIZE + body;
}

enum outcome session_read_to_end(int fd, unsigned *frames)
{
    static uint8_t bytes[FRAME_READ_MAX];
    bool late;

    *frames = 0;
    while (session_read(fd, bytes, &late) > 0)
        ++*frames;
    return late ? OUTCOME_LATE : *frames > 0 ? OUTCOME_ANSWERED : OUTCOME_CLOSED;
}

static uint64_t find_graph(const struct wire_welcome *welcome)
{
    struct wire_plugin plugin;

    for (uint32_t i = 0; wire_welcome_plugin(welcome, i, &plugin); ++i) {
        if (strcmp(plugin.name, "worker_graph") == 0)
            return plugin.id;
    }
    return 0;
}

int session_open(const char *path, uint64_t *graph)
{
    static uint8_t bytes[FRAME_READ_MAX];
    struct wire_frame frame;
    int fd = session_unix(path);
    size_t length;
    bool late;

    if (fd < 0)
        return -1;
    session_send_frame(fd,
            &(struct wire_frame){ .type = WIRE_HELLO,
                    .request_id = 1,
                    .hello = { PEER_MESSAGE_SIZE, JUROM_RELEASE } });
    length = session_read(fd, bytes, &late);
    if (length > 0 && wire_decode(bytes, length, PEER_MESSAGE_SIZE, &frame) == DOCA_SUCCESS
            && frame.type == WIRE_WELCOME) {
        *graph = find_graph(&frame.welcome);
        return fd;
    }
    close(fd);
    return -1;
}

bool session_spawn(
        int fd, uint64_t *worker_id, uint64_t plugin, char path[128], struct channel_ticket *ticket)
{
    static uint8_t bytes[FRAME_READ_MAX];
    struct wire_frame frame = { .type = WIRE_SPAWN,
        .request_id = SPAWN_REQUEST_ID,
        .spawn = { .worker_id = *worker_id, .plugins = plugin } };
    size_t length;
    bool late;

    if (!session_send_frame(fd, &frame))
        return false;
    do { /* frames for earlier workers may precede the answer */
        length = session_read(fd, bytes, &late);
        if (length == 0 || wire_decode(bytes, length, PEER_MESSAGE_SIZE, &frame) != DOCA_SUCCESS)
            return false;
    } while (frame.type == WIRE_WORKER_GONE || frame.type == WIRE_RELEASED);
    if (frame.type != WIRE_SPAWNED || frame.spawned.address.length >= 128
            || frame.spawned.address.length < 5)
        return false;
    *worker_id = frame.spawned.worker_id;
    memcpy(ticket, frame.spawned.ticket, sizeof(*ticket));
    memcpy(path, frame.spawned.address.data + 5, frame.spawned.address.length - 5);
    path[frame.spawned.address.length - 5] = '\0';
    return true;
}

bool session_release(int fd, uint64_t worker_id)
{
    return session_send_frame(fd,
            &(struct wire_frame){
                    .type = WIRE_RELEASE, .request_id = SPAWN_REQUEST_ID, .worker_id = worker_id });
}
