/* SPDX-License-Identifier: Apache-2.0 */
/* Scatter: writes several vectors, after checking all of them. */
#include <doca_log.h>

#include "rdmo.h"

DOCA_LOG_REGISTER(UROM::RDMO)

#define VECTORS_AT_ONCE 256 /* maximum number of writes in flight */

enum step {
    SETTLE_BEFORE,
    CHECK,
    WRITE,
    END,
};

/* A vector and its data, which are adjacent in the request. */
struct vector {
    struct urom_rdmo_scatter_iov iov;
    const uint8_t *data;
};

/* Reads the vector at `*at` and advances it. Returns false if it exceeds the request. */
static bool take_vector(const struct operation *operation, size_t *at, struct vector *vector)
{
    struct reader reader = { operation->data + *at, operation->length - *at, false };

    take_struct(&reader, &vector->iov, sizeof(vector->iov));
    vector->data = take(&reader, vector->iov.len).data;
    *at = operation->length - reader.left;
    return !reader.failed;
}

static ucs_status_t check(struct operation *operation)
{
    ucs_status_t status = UCS_OK;
    struct region *region;
    size_t at = 0;

    for (uint64_t i = 0; i < operation->count && status == UCS_OK; ++i) {
        struct vector vector;

        if (!take_vector(operation, &at, &vector)) {
            DOCA_LOG_DBG("A scatter of %lu vectors has no room for vector %lu in its %zu bytes",
                    operation->count, i, operation->length);
            return UCS_ERR_INVALID_PARAM;
        }
        status = region_find(
                operation->client, vector.iov.rkey, vector.iov.addr, vector.iov.len, &region);
    }
    if (status == UCS_OK && at != operation->length) {
        DOCA_LOG_DBG("A scatter has %zu bytes behind its %lu vectors", operation->length - at,
                operation->count);
        status = UCS_ERR_INVALID_PARAM;
    }
    return status;
}

/* Writes a checked vector, whose memory may have been deregistered since. */
static ucs_status_t write_one(struct operation *operation, const struct vector *vector)
{
    struct region *region = region_with_key(operation->client, vector->iov.rkey);

    if (region == NULL)
        return UCS_ERR_NO_ELEM;
    if (vector->iov.len == 0)
        return UCS_OK;
    operation->client->dirty = true;
    return operation_begun(operation,
            transport_put(operation->client->link, region->remote_key, vector->iov.addr,
                    vector->data, vector->iov.len, &operation->transfer));
}

static ucs_status_t write_some(struct operation *operation)
{
    struct vector vector;

    while (operation->count > 0) {
        ucs_status_t status;

        if (operation->transfers == VECTORS_AT_ONCE) {
            --operation->step; /* repeats the step for the remaining vectors */
            return UCS_INPROGRESS;
        }
        take_vector(operation, &operation->at, &vector);
        status = write_one(operation, &vector);
        if (status != UCS_OK && status != UCS_INPROGRESS)
            return status;
        --operation->count;
    }
    return operation->transfers > 0 ? UCS_INPROGRESS : UCS_OK;
}

static ucs_status_t step(struct operation *operation)
{
    switch (operation->step) {
    case SETTLE_BEFORE:
        return operation->fence ? operation_settle(operation) : UCS_OK;
    case CHECK:
        return check(operation);
    case WRITE:
        return write_some(operation);
    default:
        operation->over = true;
        return UCS_OK;
    }
}

const struct operation_kind operation_scatter = {
    .name = "scatter",
    .step = step,
    .end = operation_end_request,
};
