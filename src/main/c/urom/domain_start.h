/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The start and stop of a domain context.
 *
 *     announcements -> parts -> DOMAIN to each worker / DOMAIN_READY -> verdicts -> RUNNING
 *
 * Announcements, parts and verdicts are exchanged by all-gathers among the participants. After the
 * verdicts, every worker has the domain, so no host runs earlier. All participants see the same
 * announcements, so an error in them fails the start everywhere. A participant that fails later
 * reports it in its verdict, so that no participant waits for it.
 */
#ifndef JUROM_DOMAIN_START_H_
#define JUROM_DOMAIN_START_H_

#include <doca_ctx.h>

/*
 * The start operation of the context. Returns IN_PROGRESS, after which doca_pe_progress continues
 * the start, or an error.
 */
doca_error_t domain_start(struct doca_ctx *ctx);

/* The stop operation, which also aborts a start. Ends the domain; always returns SUCCESS. */
doca_error_t domain_stop(struct doca_ctx *ctx);

#endif /* JUROM_DOMAIN_START_H_ */
