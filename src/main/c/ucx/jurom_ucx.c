/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Java finds symbols only in libraries that it loads by path and in their dependencies: loading
 * this library loads UCX. Its own function is found first and so overrides UCX's function of the
 * same name.
 */
#include <dlfcn.h>

#include <ucp/api/ucp.h>

#include "sockets.h"

/* If the kernel rejects the filter, the host continues without it. */
__attribute__((visibility("default"))) ucs_status_t ucp_worker_create(
        ucp_context_h context, const ucp_worker_params_t *params, ucp_worker_h *worker)
{
    ucs_status_t (*create)(ucp_context_h, const ucp_worker_params_t *, ucp_worker_h *);
    ucs_status_t status = UCS_ERR_UNSUPPORTED;
    struct ucx_sockets before;

    *(void **)&create = dlsym(RTLD_NEXT, "ucp_worker_create");
    if (create == NULL)
        return status;
    ucx_sockets_note(&before);
    status = create(context, params, worker);
    if (status == UCS_OK)
        (void)!ucx_sockets_protect(&before);
    return status;
}
