/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UCP contexts, which the links of a process that use the same devices share: making one looks at
 * all network cards. From any thread.
 */
#ifndef JUROM_CHANNEL_UCX_CONTEXT_H_
#define JUROM_CHANNEL_UCX_CONTEXT_H_

#include <ucp/api/ucp.h>

struct ucx_context;

/* The one for these devices, as ucx_library.open says, made if need be. */
ucs_status_t ucx_context_acquire(const char *devices, const char *interface,
        struct ucx_context **context);
/* The last one frees it. */
void ucx_context_release(struct ucx_context *context);

ucp_context_h ucx_context_inside(const struct ucx_context *context);

#endif /* JUROM_CHANNEL_UCX_CONTEXT_H_ */
