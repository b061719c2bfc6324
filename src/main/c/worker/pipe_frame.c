/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <faults/faults.h>

#include "pipe_frame.h"

#define WRITTEN_MAX 8192

static bool read_all(int fd, uint8_t *data, size_t length)
{
    while (length > 0) {
        ssize_t count = FAULT_TRANSFER(pipe_read, read(fd, data, FAULT_LENGTH(pipe_read, length)));

        if (count <= 0 && !(count < 0 && errno == EINTR))
            return false;
        data += count > 0 ? count : 0;
        length -= count > 0 ? (size_t)count : 0;
    }
    return true;
}

static bool write_all(int fd, const uint8_t *data, size_t length)
{
    while (length > 0) {
        ssize_t count = FAULT_TRANSFER(
                pipe_write, write(fd, data, FAULT_LENGTH(pipe_write, length)));

        if (count < 0 && errno != EINTR)
            return false;
        data += count > 0 ? count : 0;
        length -= count > 0 ? (size_t)count : 0;
    }
    return true;
}

static doca_error_t read_frame(int fd, uint8_t *bytes, size_t capacity, struct wire_frame *frame)
{
    size_t length = 0;
    doca_error_t status;

    if (!read_all(fd, bytes, WIRE_HEADER_SIZE))
        return DOCA_ERROR_IO_FAILED;
    status = wire_frame_length(bytes, WIRE_CONTROL_MAX, &length);
    if (status != DOCA_SUCCESS)
        return status;
    if (length > capacity)
        return DOCA_ERROR_TOO_BIG;
    if (!read_all(fd, bytes + WIRE_HEADER_SIZE, length - WIRE_HEADER_SIZE))
        return DOCA_ERROR_IO_FAILED;
    return wire_decode(bytes, length, WIRE_CONTROL_MAX, frame);
}

doca_error_t pipe_read_frame(int fd, enum wire_type type, uint8_t *bytes, size_t capacity,
        struct wire_frame *frame, char reason[REASON_MAX])
{
    doca_error_t status = read_frame(fd, bytes, capacity, frame);

    if (status == DOCA_SUCCESS && frame->type != type)
        status = DOCA_ERROR_UNEXPECTED;
    if (status != DOCA_SUCCESS)
        fail_with(reason, status,
                "no %s frame on standard input: %s; only the service can start workers",
                type == WIRE_LAUNCH ? "LAUNCH" : "CONFIGURE", doca_error_get_descr(status));
    return status;
}

bool pipe_write_frame(int fd, const struct wire_frame *frame)
{
    uint8_t bytes[WRITTEN_MAX];
    size_t length = 0;

    return wire_encode(frame, bytes, sizeof(bytes), &length) == DOCA_SUCCESS
            && write_all(fd, bytes, length);
}

bool pipe_write_error(int fd, doca_error_t status, const char *reason)
{
    struct wire_frame frame = { .type = WIRE_ERROR };

    if (!wire_is_text((const uint8_t *)reason, strlen(reason)))
        reason = doca_error_get_descr(status); /* for example, a path that is not UTF-8 */
    frame.error = (struct wire_error){ status, { (const uint8_t *)reason, strlen(reason) } };
    return pipe_write_frame(fd, &frame);
}
