/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Single frames on the pipes to the service, blocking: how a worker starts, before its loop runs.
 */
#ifndef JUROM_PIPE_FRAME_H_
#define JUROM_PIPE_FRAME_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <wire/wire.h>

#include "why.h"

/*
 * Reads one frame, which must be of this type, and no byte behind it; it points into `bytes`. Says
 * why it cannot: IO_FAILED at the end of the input, TOO_BIG over `capacity`, UNEXPECTED another
 * type.
 */
doca_error_t pipe_read_frame(int fd, enum wire_type type, uint8_t *bytes, size_t capacity,
        struct wire_frame *frame, char why[WHY_MAX]);

/* Writes an ERROR frame with this sentence; whether it could. */
bool pipe_write_error(int fd, doca_error_t status, const char *why);

/* Writes a frame of at most 8 KiB; whether it could. */
bool pipe_write_frame(int fd, const struct wire_frame *frame);

#endif /* JUROM_PIPE_FRAME_H_ */
