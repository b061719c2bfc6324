/* SPDX-License-Identifier: Apache-2.0 */
/* Compares wire_decode_prefix with wire_decode: both must give the same result for any bytes. */
#ifndef JUROM_WIRE_PREFIX_H_
#define JUROM_WIRE_PREFIX_H_

#include <string.h>

#include <wire/wire.h>

/* Returns whether two frames are equal except for the address of the payload. */
static inline bool same_command(const struct wire_frame *whole, const struct wire_frame *prefix)
{
    if (whole->type != prefix->type || whole->request_id != prefix->request_id)
        return false;
    if (whole->type == WIRE_COMMAND || whole->type == WIRE_COMMAND_UNTIL)
        return whole->command.plugin == prefix->command.plugin
                && whole->command.payload.length == prefix->command.payload.length
                && prefix->command.payload.data == NULL;
    return whole->notification.status == prefix->notification.status
            && whole->notification.payload.length == prefix->notification.payload.length
            && prefix->notification.payload.data == NULL;
}

/*
 * Returns whether both give the same result. wire_decode_prefix rejects frames without a payload.
 */
static inline bool prefix_agrees(const uint8_t *data, size_t length, size_t max_message_size)
{
    uint8_t prefix[WIRE_PREFIX_SIZE] = { 0 };
    struct wire_frame whole_frame, prefix_frame;
    doca_error_t whole = wire_decode(data, length, max_message_size, &whole_frame);
    doca_error_t of_prefix;

    if (length > 0)
        memcpy(prefix, data, length < sizeof(prefix) ? length : sizeof(prefix));
    of_prefix = wire_decode_prefix(prefix, length, max_message_size, &prefix_frame);
    if (whole == DOCA_SUCCESS && !wire_has_payload((uint8_t)whole_frame.type))
        return of_prefix == DOCA_ERROR_INVALID_VALUE;
    return whole == of_prefix
            && (whole != DOCA_SUCCESS || same_command(&whole_frame, &prefix_frame));
}

#endif /* JUROM_WIRE_PREFIX_H_ */
