/* SPDX-License-Identifier: Apache-2.0 */
/* The list of contexts of a progress engine; for ctx.c only. */
#ifndef JUROM_PE_CONTEXTS_H_
#define JUROM_PE_CONTEXTS_H_

struct doca_ctx;
struct doca_pe;

/* Adds `ctx` to the engine's list. */
void pe_add_context(struct doca_pe *pe, struct doca_ctx *ctx);

/* Removes `ctx`, which must be in the list. */
void pe_remove_context(struct doca_pe *pe, struct doca_ctx *ctx);

#endif /* JUROM_PE_CONTEXTS_H_ */
