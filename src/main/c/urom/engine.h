/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all UROM contexts of one progress engine share: their sessions with services. Attached to the
 * progress engine at first use and destroyed with it. One thread.
 */
#ifndef JUROM_ENGINE_H_
#define JUROM_ENGINE_H_

#include <common/pe.h>

struct session;

struct engine {
    struct pe_attachment attachment;
    struct doca_pe *pe;
    struct session *sessions;
};

/* The engine of `pe`, made when it is not there yet. */
doca_error_t engine_of(struct doca_pe *pe, struct engine **engine);

#endif /* JUROM_ENGINE_H_ */
