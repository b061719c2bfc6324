/* SPDX-License-Identifier: Apache-2.0 */
/* Worker context: why its worker is gone, or was never there. */
#include <stdio.h>

#include <jurom.h>

#include "worker.h"

void worker_note_loss(struct doca_urom_worker *worker, const char *verb, const char *why,
        size_t length)
{
    if (length > 0 && why[length - 1] == '.')
        --length;
    if (worker->loss == NULL && asprintf(&worker->loss, "worker %lu %s%.*s", worker->spawned_id,
            verb, (int)length, why) < 0)
        worker->loss = NULL;
}

const char *jurom_urom_worker_get_loss(const struct doca_urom_worker *worker)
{
    return worker == NULL || worker->loss == NULL ? "" : worker->loss;
}
