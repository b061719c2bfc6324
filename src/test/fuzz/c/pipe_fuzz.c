/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any bytes on the pipe of a starting worker result in a LAUNCH or CONFIGURE
 * frame within its buffer, or in an error message. The first byte selects the expected frame, and
 * whether a valid header precedes the bytes.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <worker/pipe_frame.h>

#include "input.h"

#define BUFFER 2048
#define INPUT_MAX 60000 /* less than the capacity of a pipe */
#define LAUNCHED 1
#define WITH_HEADER 2

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void is_inside(const uint8_t *buffer, struct wire_bytes bytes)
{
    require(bytes.length == 0
            || (bytes.data >= buffer && bytes.data + bytes.length <= buffer + BUFFER));
}

/* Reads every string, as the launcher does. */
static void check_launch(const uint8_t *buffer, const struct wire_launch *launch)
{
    size_t at = 0;

    is_inside(buffer, launch->socket_path);
    is_inside(buffer, launch->cgroup);
    is_inside(buffer, (struct wire_bytes){ launch->limits, 8 * (size_t)launch->limit_count });
    is_inside(buffer, launch->environment);
    for (uint32_t i = 0; i < launch->environment_count; ++i) {
        require(at < launch->environment.length);
        at += strlen((const char *)launch->environment.data + at) + 1;
    }
    require(at == launch->environment.length);
}

static void put_header(int fd, enum wire_type type, size_t length)
{
    uint8_t header[WIRE_HEADER_SIZE] = { 0 };
    uint32_t start = WIRE_START(type), body = (uint32_t)length;

    memcpy(header, &start, sizeof(start));
    memcpy(header + sizeof(start), &body, sizeof(body));
    require(write(fd, header, sizeof(header)) == sizeof(header));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, size };
    unsigned kind = (unsigned)take_number(&input, 1);
    enum wire_type type = kind & LAUNCHED ? WIRE_LAUNCH : WIRE_CONFIGURE;
    uint8_t *buffer = malloc(BUFFER);
    char reason[REASON_MAX] = "";
    struct wire_frame frame;
    doca_error_t status;
    int ends[2];

    require(buffer != NULL && pipe(ends) == 0);
    if (input.left > INPUT_MAX)
        input.left = INPUT_MAX;
    if (kind & WITH_HEADER)
        put_header(ends[1], type, input.left);
    require(write(ends[1], input.next, input.left) == (ssize_t)input.left);
    close(ends[1]);
    status = pipe_read_frame(ends[0], type, buffer, BUFFER, &frame, reason);
    require(status == DOCA_SUCCESS || reason[0] != '\0');
    require(status != DOCA_SUCCESS || frame.type == type);
    if (status == DOCA_SUCCESS && type == WIRE_LAUNCH)
        check_launch(buffer, &frame.launch);
    close(ends[0]);
    free(buffer);
    return 0;
}
