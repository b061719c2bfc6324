/* SPDX-License-Identifier: Apache-2.0 */
/* The list of contexts that a progress engine keeps: for ctx.c alone. */
#ifndef JUROM_PE_CONTEXTS_H_
#define JUROM_PE_CONTEXTS_H_

struct doca_ctx;
struct doca_pe;

/* Puts `ctx` in the engine's list; it stays there until it is removed. */
void pe_add_context(struct doca_pe *pe, struct doca_ctx *ctx);

/* Takes `ctx`, which is in the list, out of it. */
void pe_remove_context(struct doca_pe *pe, struct doca_ctx *ctx);

#endif /* JUROM_PE_CONTEXTS_H_ */
