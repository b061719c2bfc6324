/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UCP contexts. Links of a process that use the same devices share one, because creating a context
 * probes all network devices. Thread-safe.
 */
#ifndef JUROM_CHANNEL_UCX_UCX_CONTEXT_H_
#define JUROM_CHANNEL_UCX_UCX_CONTEXT_H_

#include <ucp/api/ucp.h>

struct ucx_context;

/* Acquires the context for these devices (see ucx_library.open), creating it if necessary. */
ucs_status_t ucx_context_acquire(
        const char *devices, const char *interface, struct ucx_context **context);
/* Drops a reference; the last one frees the context. */
void ucx_context_release(struct ucx_context *context);

/* Returns the UCP context, valid while the caller holds its reference. */
ucp_context_h ucx_context_inside(const struct ucx_context *context);

#endif /* JUROM_CHANNEL_UCX_UCX_CONTEXT_H_ */
