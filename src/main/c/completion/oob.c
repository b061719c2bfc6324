/* SPDX-License-Identifier: Apache-2.0 */
/* Records the out-of-band exchange of a domain. */
#include <jurom_oob.h>

doca_error_t jurom_oob_allgather(
        void *block, void *blocks, size_t length, void *oob, void **request)
{
    struct jurom_oob *record = oob;

    if (record->request != 0)
        return DOCA_ERROR_IN_USE;
    record->request = ++record->requests;
    record->block = block;
    record->blocks = blocks;
    record->length = length;
    record->status = DOCA_ERROR_IN_PROGRESS;
    *request = record;
    return DOCA_SUCCESS;
}

doca_error_t jurom_oob_req_test(void *request)
{
    const struct jurom_oob *record = request;

    return record->request == 0 ? DOCA_ERROR_INVALID_VALUE : (doca_error_t)record->status;
}

doca_error_t jurom_oob_req_free(void *request)
{
    struct jurom_oob *record = request;

    if (record->request == 0)
        return DOCA_ERROR_INVALID_VALUE;
    record->request = 0;
    record->block = NULL;
    record->blocks = NULL;
    return DOCA_SUCCESS;
}
