/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding of the frames that hosts and workers receive: headers. decode_{service,worker,host}.c decode the bodies. */
#include "wire_private.h"

bool wire_is_message(const uint8_t prefix[WIRE_PREFIX_SIZE], size_t length, size_t max_message_size)
{
    uint32_t start = load_u32(prefix);

    if (start == WIRE_START(WIRE_COMMAND_UNTIL))
        max_message_size = wire_message_max(WIRE_COMMAND_UNTIL, max_message_size);
    else if (start != WIRE_START(WIRE_COMMAND) && start != WIRE_START(WIRE_NOTIFICATION))
        return false;
    return length >= WIRE_PREFIX_SIZE && length <= max_message_size
            && load_u32(prefix + 4) == length - WIRE_HEADER_SIZE;
}

doca_error_t wire_frame_length(
        const uint8_t header[WIRE_HEADER_SIZE], size_t max_message_size, size_t *length)
{
    uint64_t whole = WIRE_HEADER_SIZE + (uint64_t)load_u32(header + 4);

    if (load_u16(header) != WIRE_MAGIC)
        return DOCA_ERROR_INVALID_VALUE;
    if (header[2] != WIRE_VERSION)
        return DOCA_ERROR_UNSUPPORTED_VERSION;
    if (whole > (wire_has_payload(header[3]) ? wire_message_max(header[3], max_message_size)
                                             : WIRE_CONTROL_MAX))
        return DOCA_ERROR_TOO_BIG;
    *length = (size_t)whole;
    return DOCA_SUCCESS;
}

doca_error_t decode_header(
        const uint8_t *data, size_t length, size_t max_message_size, struct wire_frame *frame)
{
    size_t announced = 0;
    doca_error_t status;

    if (length < WIRE_HEADER_SIZE)
        return DOCA_ERROR_INVALID_VALUE;
    status = wire_frame_length(data, max_message_size, &announced);
    if (status != DOCA_SUCCESS)
        return status;
    if (announced != length)
        return DOCA_ERROR_INVALID_VALUE;

    frame->type = (enum wire_type)data[3];
    frame->request_id = load_u64(data + 8);
    return DOCA_SUCCESS;
}

doca_error_t wire_decode(
        const uint8_t *data, size_t length, size_t max_message_size, struct wire_frame *frame)
{
    doca_error_t status = decode_header(data, length, max_message_size, frame);
    struct cursor body;

    if (status != DOCA_SUCCESS)
        return status;

    body = (struct cursor){ data + WIRE_HEADER_SIZE, length - WIRE_HEADER_SIZE, false };
    if (frame->type >= WIRE_ATTACH)
        decode_host_body(&body, frame);
    else if (frame->type >= WIRE_LAUNCH)
        decode_worker_body(&body, frame);
    else
        decode_service_body(&body, frame);
    return body.failed || body.left > 0 ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

doca_error_t wire_decode_prefix(const uint8_t prefix[WIRE_PREFIX_SIZE], size_t length,
        size_t max_message_size, struct wire_frame *frame)
{
    const struct wire_bytes payload = { NULL, length - WIRE_PREFIX_SIZE };
    doca_error_t status;

    if (!wire_is_message(prefix, length, max_message_size)) {
        status = decode_header(prefix, length, max_message_size, frame);
        return status == DOCA_SUCCESS ? DOCA_ERROR_INVALID_VALUE : status;
    }
    frame->type = (enum wire_type)prefix[3];
    frame->request_id = load_u64(prefix + 8);
    return decode_host_prefix(prefix + WIRE_HEADER_SIZE, payload, frame);
}

bool wire_equal(const uint8_t *a, const uint8_t *b, size_t length)
{
    volatile uint8_t difference = 0; /* volatile: prevents the compiler from stopping early */

    for (size_t i = 0; i < length; ++i)
        difference |= a[i] ^ b[i];
    return difference == 0;
}
