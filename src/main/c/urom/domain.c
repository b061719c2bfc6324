/* SPDX-License-Identifier: Apache-2.0 */
/* Domain context: not supported yet. */
#include <doca_urom.h>

doca_error_t doca_urom_domain_create(struct doca_urom_domain **domain_ctx)
{
    (void)domain_ctx;
    return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_urom_domain_destroy(struct doca_urom_domain *domain_ctx)
{
    (void)domain_ctx;
    return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_urom_domain_set_buffers_count(struct doca_urom_domain *domain_ctx,
        size_t buffers_cnt)
{
    (void)domain_ctx;
    (void)buffers_cnt;
    return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_urom_domain_add_buffer(struct doca_urom_domain *domain_ctx, void *buffer,
        size_t buf_len, void *memh, size_t memh_len, void *mkey, size_t mkey_len)
{
    (void)domain_ctx;
    (void)buffer;
    (void)buf_len;
    (void)memh;
    (void)memh_len;
    (void)mkey;
    (void)mkey_len;
    return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_urom_domain_set_oob(struct doca_urom_domain *domain_ctx,
        struct doca_urom_domain_oob_coll *oob)
{
    (void)domain_ctx;
    (void)oob;
    return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_urom_domain_set_workers(struct doca_urom_domain *domain_ctx,
        uint64_t *domain_worker_ids, struct doca_urom_worker **workers, size_t workers_cnt)
{
    (void)domain_ctx;
    (void)domain_worker_ids;
    (void)workers;
    (void)workers_cnt;
    return DOCA_ERROR_NOT_SUPPORTED;
}

struct doca_ctx *doca_urom_domain_as_ctx(struct doca_urom_domain *domain_ctx)
{
    (void)domain_ctx;
    return NULL;
}
