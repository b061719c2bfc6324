/* SPDX-License-Identifier: Apache-2.0 */
/* Frames that are nearly valid, for state machines behind the decoder. */
#ifndef JUROM_FUZZ_FRAMES_H_
#define JUROM_FUZZ_FRAMES_H_

#include <wire/wire.h>

#include "input.h"

#define FRAME_MAX 4096
#define PAYLOAD_MAX 512

/* Names to which frames refer. */
struct frame_names {
    uint64_t request;      /* the number of the last request */
    uint64_t plugin;       /* the bit of the plugin */
    const uint8_t *ticket; /* WIRE_TICKET_SIZE bytes */
    const char *address;   /* address of a worker */
};

/*
 * Makes a frame of one of `count` types. The input selects the type and the fields, mostly with
 * the given names. One of eight frames has a corrupted byte or length. Returns the length.
 */
size_t make_frame(struct input *input, const enum wire_type *types, unsigned count,
        const struct frame_names *names, uint8_t bytes[FRAME_MAX]);

#endif /* JUROM_FUZZ_FRAMES_H_ */
