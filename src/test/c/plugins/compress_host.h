/* SPDX-License-Identifier: Apache-2.0 */
/* A host of worker_compress. */
#ifndef JUROM_TEST_COMPRESS_HOST_H_
#define JUROM_TEST_COMPRESS_HOST_H_

#include <jurom/urom_compress.h>

#include "plugin_instance.h"

#define HOST 7 /* dest_id of the host */

/* A command, whose lengths are those of the bytes. */
struct compress_request {
    uint64_t type;
    uint32_t format;
    int32_t level;
    uint32_t flags;
    uint64_t capacity;
    const void *dictionary;
    size_t dictionary_length;
    const void *data;
    size_t length;
};

/* Sends a command of a host. Sets `*context` to the urom_context of its notification. */
void compress_send(struct instance *instance, uint64_t host, const struct compress_request *request,
        uint64_t *context);

/*
 * Sends a command of HOST and waits for its answer. Returns its result. The output is in
 * `notification` behind the struct; fails if it exceeds the capacity.
 */
enum urom_compress_result compress_run(struct instance *instance,
        const struct compress_request *request, struct notification *notification);

/* Returns the output of a command, and its length. */
const uint8_t *compress_output(const struct notification *notification, size_t *length);

/* Fills a block with text that compresses to about a third. */
void compress_fill(uint8_t *block, size_t length);

#endif /* JUROM_TEST_COMPRESS_HOST_H_ */
