/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The codec of all frames, for tests that play the service: wire_encode() writes only what hosts
 * and workers send, and wire_decode() reads only what they receive.
 */
#ifndef JUROM_WIRE_ANY_FRAME_H_
#define JUROM_WIRE_ANY_FRAME_H_

#include <wire/wire.h>

/* Encodes a frame of any type, as wire_encode() does. */
doca_error_t encode_any(
        const struct wire_frame *frame, uint8_t *data, size_t capacity, size_t *length);

/* Decodes a frame of any type, as wire_decode() does. */
doca_error_t decode_any(
        const uint8_t *data, size_t length, size_t max_message_size, struct wire_frame *frame);

#endif /* JUROM_WIRE_ANY_FRAME_H_ */
