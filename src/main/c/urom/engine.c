/* SPDX-License-Identifier: Apache-2.0 */
/* A progress engine with UROM contexts. Its sessions end with their last users, before it does. */
#include <stdlib.h>

#include <common/private.h>

#include "engine.h"

static const int engine_key;

static void destroy(struct pe_attachment *attachment)
{
    free(CONTAINER_OF(attachment, struct engine, attachment));
}

doca_error_t engine_of(struct doca_pe *pe, struct engine **engine)
{
    struct pe_attachment *attachment = priv_doca_pe_attachment(pe, &engine_key);
    struct engine *made;

    if (attachment != NULL) {
        *engine = CONTAINER_OF(attachment, struct engine, attachment);
        return DOCA_SUCCESS;
    }

    made = calloc(1, sizeof(*made));
    if (made == NULL)
        return DOCA_ERROR_NO_MEMORY;
    made->attachment = (struct pe_attachment){ .key = &engine_key, .destroy = destroy };
    made->pe = pe;
    priv_doca_pe_attach(pe, &made->attachment);
    *engine = made;
    return DOCA_SUCCESS;
}
