/* SPDX-License-Identifier: Apache-2.0 */
/* The resources of each host, for limits and for cleanup. */
#include <stdlib.h>

#include "sandbox.h"

static struct host *find(const struct sandbox *sandbox, uint64_t id)
{
    struct host *host;

    ucs_list_for_each(host, &sandbox->hosts, entry)
    {
        if (host->id == id && !host->gone)
            return host;
    }
    return NULL;
}

struct host *sandbox_host(struct sandbox *sandbox, uint64_t id)
{
    struct host *host = find(sandbox, id);

    if (host != NULL)
        return host;
    host = calloc(1, sizeof(*host));
    if (host == NULL)
        return NULL;
    host->id = id;
    ucs_list_add_tail(&sandbox->hosts, &host->entry);
    return host;
}

void sandbox_host_left(struct sandbox *sandbox, uint64_t id)
{
    struct host *host = find(sandbox, id);

    if (host == NULL)
        return;
    host->gone = true;
    sandbox_cancel_receives(sandbox, host);
    sandbox_drop_sends(sandbox, host);
    answers_drop(&sandbox->answers, id);
    sandbox_sweep(sandbox);
}

void sandbox_sweep(struct sandbox *sandbox)
{
    struct host *host, *next;

    sandbox_unmap(sandbox, false);
    sandbox_leave_peers(sandbox);
    sandbox->has_departed = false;
    ucs_list_for_each_safe(host, next, &sandbox->hosts, entry)
    {
        if (!host->gone)
            continue;
        if (host->messages + host->mappings + host->peers > 0) {
            sandbox->has_departed = true;
            continue;
        }
        ucs_list_del(&host->entry);
        free(host);
    }
}

void sandbox_free_hosts(struct sandbox *sandbox)
{
    while (!ucs_list_is_empty(&sandbox->hosts))
        free(ucs_list_extract_head(&sandbox->hosts, struct host, entry));
}
