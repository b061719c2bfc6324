/* SPDX-License-Identifier: Apache-2.0 */
/* Capabilities of the DMA engine: the same on every device, since the CPU copies. */
#include <doca_dma.h>

doca_error_t doca_dma_cap_task_memcpy_is_supported(const struct doca_devinfo *devinfo)
{
    return devinfo == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

/* No limit of its own: the largest value that also fits a signed integer. */
doca_error_t doca_dma_cap_task_memcpy_get_max_buf_list_len(
        const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len)
{
    if (devinfo == NULL || max_buf_list_len == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *max_buf_list_len = INT32_MAX;
    return DOCA_SUCCESS;
}

doca_error_t doca_dma_cap_task_memcpy_get_max_buf_size(
        const struct doca_devinfo *devinfo, uint64_t *buf_size)
{
    if (devinfo == NULL || buf_size == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *buf_size = INT64_MAX;
    return DOCA_SUCCESS;
}
