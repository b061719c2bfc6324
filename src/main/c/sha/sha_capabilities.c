/* SPDX-License-Identifier: Apache-2.0 */
/* Capabilities of the SHA engine: the same on every device, since the CPU hashes. */
#include "sha.h"

doca_error_t doca_sha_cap_task_hash_get_supported(
        struct doca_devinfo const *devinfo, enum doca_sha_algorithm algorithm)
{
    if (devinfo == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    return sha_algorithm_find(algorithm) == NULL ? DOCA_ERROR_NOT_SUPPORTED : DOCA_SUCCESS;
}

doca_error_t doca_sha_cap_task_partial_hash_get_supported(
        struct doca_devinfo const *devinfo, enum doca_sha_algorithm algorithm)
{
    return doca_sha_cap_task_hash_get_supported(devinfo, algorithm);
}

doca_error_t doca_sha_cap_get_max_list_buf_num_elem(
        struct doca_devinfo const *devinfo, uint32_t *max_list_buf_num_elem)
{
    if (devinfo == NULL || max_list_buf_num_elem == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *max_list_buf_num_elem = ENGINE_LIST_REPORTED;
    return DOCA_SUCCESS;
}

doca_error_t doca_sha_cap_get_max_src_buf_size(
        struct doca_devinfo const *devinfo, uint64_t *max_src_buf_size)
{
    if (devinfo == NULL || max_src_buf_size == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *max_src_buf_size = ENGINE_SIZE_REPORTED;
    return DOCA_SUCCESS;
}

doca_error_t doca_sha_cap_get_min_dst_buf_size(struct doca_devinfo const *devinfo,
        enum doca_sha_algorithm algorithm, uint32_t *min_dst_buf_size)
{
    const struct sha_algorithm *found = sha_algorithm_find(algorithm);

    if (devinfo == NULL || min_dst_buf_size == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (found == NULL)
        return DOCA_ERROR_NOT_SUPPORTED;

    *min_dst_buf_size = found->digest_size;
    return DOCA_SUCCESS;
}

doca_error_t doca_sha_cap_get_partial_hash_block_size(struct doca_devinfo const *devinfo,
        enum doca_sha_algorithm algorithm, uint32_t *partial_block_size)
{
    const struct sha_algorithm *found = sha_algorithm_find(algorithm);

    if (devinfo == NULL || partial_block_size == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (found == NULL)
        return DOCA_ERROR_NOT_SUPPORTED;

    *partial_block_size = found->block_size;
    return DOCA_SUCCESS;
}
