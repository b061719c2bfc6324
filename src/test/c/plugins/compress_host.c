/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "compress_host.h"

void compress_send(struct instance *instance, uint64_t host, const struct compress_request *request,
        uint64_t *context)
{
    struct urom_worker_compress_cmd command = {
        .type = request->type,
        .format = request->format,
        .level = request->level,
        .flags = request->flags,
        .capacity = request->capacity,
        .dictionary_length = request->dictionary_length,
        .data_length = request->length,
    };
    size_t length = sizeof(command) + request->dictionary_length + request->length;
    uint8_t *bytes = malloc(length);

    assert_non_null(bytes);
    memcpy(bytes, &command, sizeof(command));
    if (request->dictionary_length > 0)
        memcpy(bytes + sizeof(command), request->dictionary, request->dictionary_length);
    if (request->length > 0)
        memcpy(bytes + sizeof(command) + request->dictionary_length, request->data,
                request->length);
    assert_success(instance_command(instance, host, bytes, length, context));
    free(bytes);
}

enum urom_compress_result compress_run(struct instance *instance,
        const struct compress_request *request, struct notification *notification)
{
    const struct urom_worker_notify_compress *notify = (const void *)notification->bytes;
    uint64_t context;

    compress_send(instance, HOST, request, &context);
    await_notification(instance, context, notification);
    assert_int_equal(notification->dest_id, HOST);
    assert_in_range(notification->length, sizeof(*notify), NOTIFY_MAX);
    assert_int_equal(notification->length, sizeof(*notify) + notify->length);
    assert_int_equal(notify->type, request->type);
    assert_true((notify->result == UROM_COMPRESS_OK) == (notification->status == DOCA_SUCCESS));
    assert_true(notify->length <= request->capacity);
    return notify->result;
}

const uint8_t *compress_output(const struct notification *notification, size_t *length)
{
    *length = notification->length - sizeof(struct urom_worker_notify_compress);
    return notification->bytes + sizeof(struct urom_worker_notify_compress);
}

void compress_fill(uint8_t *block, size_t length)
{
    uint32_t random = 1;

    for (size_t i = 0; i < length; ++i) {
        random = random * 1664525 + 1013904223;
        block[i] = i % 16 < 10 ? "worker row "[i % 11] : (uint8_t)('a' + (random >> 28));
    }
}
