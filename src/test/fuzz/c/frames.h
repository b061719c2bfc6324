/* SPDX-License-Identifier: Apache-2.0 */
/* Frames that are about right, for state machines behind the decoder. */
#ifndef JUROM_FUZZ_FRAMES_H_
#define JUROM_FUZZ_FRAMES_H_

#include <wire/wire.h>

#include "input.h"

#define FRAME_MAX 4096
#define PAYLOAD_MAX 512

/* What frames refer to. */
struct frame_names {
    uint64_t request;      /* the number of the request that was made last */
    uint64_t plugin;       /* its bit */
    const uint8_t *ticket; /* WIRE_TICKET_SIZE bytes */
    const char *address;   /* of a worker */
};

/*
 * Makes a frame of one of `count` types, chosen by the input as its fields are, mostly with what the
 * names say. One in eight is damaged in a byte or in its length. How long it is.
 */
size_t make_frame(struct input *input, const enum wire_type *types, unsigned count,
        const struct frame_names *names, uint8_t bytes[FRAME_MAX]);

#endif /* JUROM_FUZZ_FRAMES_H_ */
