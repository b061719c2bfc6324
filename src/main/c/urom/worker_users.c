/* SPDX-License-Identifier: Apache-2.0 */
/* Those who count on a worker context. */
#include "worker.h"

void worker_join(struct doca_urom_worker *worker, struct worker_user *user)
{
    user->next = worker->users;
    worker->users = user;
}

void worker_leave(struct doca_urom_worker *worker, struct worker_user *user)
{
    struct worker_user **link = &worker->users;

    while (*link != NULL && *link != user)
        link = &(*link)->next;
    if (*link != NULL)
        *link = user->next;
}

void worker_tell_gone(struct doca_urom_worker *worker, bool for_good)
{
    struct worker_user *next;

    for (struct worker_user *user = worker->users; user != NULL; user = next) {
        next = user->next;
        user->gone(user, for_good);
    }
}
