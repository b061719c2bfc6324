/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocking transfer of single frames over the pipes to the service, while a worker starts.
 */
#ifndef JUROM_PIPE_FRAME_H_
#define JUROM_PIPE_FRAME_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <wire/wire.h>

#include "reason.h"

/*
 * Reads exactly one frame, which must be of this type and points into `bytes`. On failure writes
 * the reason to `reason` and returns IO_FAILED (end of input), TOO_BIG (longer than `capacity`),
 * UNEXPECTED (another type) or an error of wire_decode.
 */
doca_error_t pipe_read_frame(int fd, enum wire_type type, uint8_t *bytes, size_t capacity,
        struct wire_frame *frame, char reason[REASON_MAX]);

/* Writes an ERROR frame with this text. Returns false on failure. */
bool pipe_write_error(int fd, doca_error_t status, const char *reason);

/* Writes a frame of at most 8 KiB. Returns false on failure. */
bool pipe_write_frame(int fd, const struct wire_frame *frame);

#endif /* JUROM_PIPE_FRAME_H_ */
