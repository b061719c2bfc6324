/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the UCX stub that do nothing. */
#include <stdlib.h>

#include <ucp/api/ucp.h>
#include <ucs/config/global_opts.h>

#include "ucp_stub.h"

ucs_status_t ucs_global_opts_set_value(const char *name, const char *value)
{
    (void)name;
    (void)value;
    return UCS_OK;
}

ucs_status_t ucp_config_read(const char *prefix, const char *file, ucp_config_t **config)
{
    (void)prefix;
    (void)file;
    *config = NULL;
    return UCS_OK;
}

ucs_status_t ucp_config_modify(ucp_config_t *config, const char *name, const char *value)
{
    (void)config;
    (void)name;
    (void)value;
    return UCS_OK;
}

void ucp_config_release(ucp_config_t *config)
{
    (void)config;
}

ucs_status_t ucp_init_version(unsigned major, unsigned minor, const ucp_params_t *params,
        const ucp_config_t *config, ucp_context_h *context)
{
    (void)major;
    (void)minor;
    (void)params;
    (void)config;
    *context = NULL;
    return UCS_OK;
}

void ucp_cleanup(ucp_context_h context)
{
    (void)context;
}

ucs_status_t ucp_worker_get_efd(ucp_worker_h worker, int *fd)
{
    (void)worker;
    *fd = 0;
    return UCS_OK;
}

void ucp_worker_release_address(ucp_worker_h worker, ucp_address_t *address)
{
    (void)worker;
    free(address);
}

unsigned ucp_worker_progress(ucp_worker_h worker)
{
    (void)worker;
    return 0;
}

ucs_status_t ucp_worker_arm(ucp_worker_h worker)
{
    (void)worker;
    return UCS_OK;
}

ucs_status_ptr_t ucp_worker_flush_nbx(ucp_worker_h worker, const ucp_request_param_t *param)
{
    (void)worker;
    (void)param;
    return NULL;
}

const char *ucs_status_string(ucs_status_t status)
{
    (void)status;
    return "";
}

ucs_status_t ucp_worker_get_address(ucp_worker_h worker, ucp_address_t **address, size_t *length)
{
    (void)worker;
    *length = STUB_ADDRESS_LENGTH;
    *address = calloc(1, STUB_ADDRESS_LENGTH);
    return *address == NULL ? UCS_ERR_NO_MEMORY : UCS_OK;
}
