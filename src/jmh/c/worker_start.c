/* SPDX-License-Identifier: Apache-2.0 */
/* Sends LAUNCH and CONFIGURE, receives READY. */
#include "worker_start.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <wire/any_frame.h>
#include <wire/wire.h>

#include "measure.h"

#define MESSAGE_SIZE 4096 /* the service's default */

void worker_start_open(struct worker_start *start, char *const environment[])
{
    strcpy(start->directory, "/tmp/jurom-bench-XXXXXX");
    if (mkdtemp(start->directory) == NULL)
        fail(start->directory, "cannot be created");
    for (; *environment != NULL; ++environment) {
        size_t length = strlen(*environment) + 1;

        if (start->environment_length + length > sizeof(start->environment))
            fail("the worker's environment", "is too long");
        memcpy(start->environment + start->environment_length, *environment, length);
        start->environment_length += length;
        start->environment_count++;
    }
}

static void add(struct worker_start *start, const struct wire_frame *frame)
{
    size_t length;

    if (encode_any(frame, start->frames + start->length, sizeof(start->frames) - start->length,
                &length)
            != DOCA_SUCCESS)
        fail("a frame for the worker", "cannot be encoded");
    start->length += length;
}

static struct wire_bytes bytes_of(const char *data, size_t length)
{
    return (struct wire_bytes){ .data = (const uint8_t *)data, .length = length };
}

void worker_start_prepare(struct worker_start *start)
{
    static const uint8_t any_core[WIRE_CPU_SET_SIZE];
    struct wire_frame launch = { .type = WIRE_LAUNCH };
    struct wire_frame configure = {
        .type = WIRE_CONFIGURE,
        .configure = { .max_message_size = MESSAGE_SIZE, .cpu_set = any_core },
    };

    snprintf(start->socket, sizeof(start->socket), "%s/%" PRIu64, start->directory, ++start->count);
    launch.launch = (struct wire_launch){
        .flags = WIRE_FLAG_LISTEN,
        .capabilities = UINT64_MAX,
        .socket_path = bytes_of(start->socket, strlen(start->socket)),
        .environment_count = start->environment_count,
        .environment = bytes_of(start->environment, start->environment_length),
    };
    configure.configure.worker_id = start->count;
    start->length = 0;
    add(start, &launch);
    add(start, &configure);
}

static void read_all(int fd, uint8_t *data, size_t length)
{
    while (length > 0) {
        ssize_t received = read(fd, data, length);
        if (received <= 0)
            fail("the worker", "exited before it was ready");
        data += received;
        length -= received;
    }
}

void worker_start_await(struct worker_start *start, int input, int output)
{
    uint8_t answer[WORKER_START_MAX];
    struct wire_frame frame;
    size_t length;

    if (write(input, start->frames, start->length) != (ssize_t)start->length)
        fail("the worker", "does not read its input");
    read_all(output, answer, WIRE_HEADER_SIZE);
    if (wire_frame_length(answer, MESSAGE_SIZE, &length) != DOCA_SUCCESS || length > sizeof(answer))
        fail("the worker", "sent an invalid frame");
    read_all(output, answer + WIRE_HEADER_SIZE, length - WIRE_HEADER_SIZE);
    if (decode_any(answer, length, MESSAGE_SIZE, &frame) != DOCA_SUCCESS)
        fail("the worker", "sent an invalid frame");
    if (frame.type == WIRE_ERROR)
        fprintf(stderr, "%.*s\n", (int)frame.error.text.length,
                (const char *)frame.error.text.data);
    if (frame.type != WIRE_READY)
        fail("the worker", "is not ready");
}

void worker_start_clean(struct worker_start *start)
{
    unlink(start->socket);
}

void worker_start_close(struct worker_start *start)
{
    rmdir(start->directory);
}
