/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Append: reads the pointer in the client's memory, writes the data to its target, then advances
 * the pointer. A reader that sees the new pointer also sees the data. The client's other operations
 * wait meanwhile.
 */
#include "rdmo.h"

enum step {
    SETTLE_BEFORE,
    READ_POINTER,
    WRITE_DATA,
    SETTLE_DATA,
    WRITE_POINTER,
    END,
};

static ucs_status_t read_pointer(struct operation *operation)
{
    const struct urom_rdmo_append_hdr *append = &operation->append;
    ucs_status_t status = region_find(operation->client, append->ptr_rkey, append->ptr_addr,
            sizeof(operation->pointer), &operation->region);

    if (status != UCS_OK)
        return status;
    return operation_begun(operation,
            transport_get(operation->client->link, operation->region->remote_key, append->ptr_addr,
                    &operation->pointer, sizeof(operation->pointer), &operation->transfer));
}

static ucs_status_t write_data(struct operation *operation)
{
    struct region *region;
    ucs_status_t status = region_find(operation->client, operation->append.data_rkey,
            operation->pointer, operation->length, &region);

    if (status != UCS_OK || operation->length == 0)
        return status;
    operation->client->dirty = true;
    return operation_begun(operation,
            transport_put(operation->client->link, region->remote_key, operation->pointer,
                    operation->data, operation->length, &operation->transfer));
}

static ucs_status_t write_pointer(struct operation *operation)
{
    if (operation->region->ending)
        return UCS_ERR_NO_ELEM;
    operation->pointer += operation->length;
    operation->client->dirty = true;
    return operation_begun(operation,
            transport_put(operation->client->link, operation->region->remote_key,
                    operation->append.ptr_addr, &operation->pointer, sizeof(operation->pointer),
                    &operation->transfer));
}

static ucs_status_t step(struct operation *operation)
{
    switch (operation->step) {
    case SETTLE_BEFORE:
    case SETTLE_DATA:
        return operation_settle(operation);
    case READ_POINTER:
        return read_pointer(operation);
    case WRITE_DATA:
        return write_data(operation);
    case WRITE_POINTER:
        return write_pointer(operation);
    default:
        operation->over = true;
        return UCS_OK;
    }
}

const struct operation_kind operation_append = {
    .name = "append",
    .step = step,
    .end = operation_end_request,
};
