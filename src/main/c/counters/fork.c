/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A forked child counts in private copies of its parent's pages and ignores the files. A fork
 * handler switches the pages, so that counting remains one instruction: each command would
 * otherwise pay for a comparison of process ids. MADV_DONTFORK would unmap the pages in which the
 * child's contexts count, and MADV_WIPEONFORK does not apply to shared mappings.
 */
#include <pthread.h>

#include "place.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list; held during a fork */
static pthread_once_t registered = PTHREAD_ONCE_INIT;
static struct counters_file *files;

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void in_parent(void)
{
    pthread_mutex_unlock(&lock);
}

static void in_child(void)
{
    for (struct counters_file *file = files; file != NULL; file = file->next) {
        counters_detach(file->counters);
        file->path[0] = '\0';
    }
    files = NULL;
    pthread_mutex_unlock(&lock);
}

static void watch_forks(void)
{
    pthread_atfork(before_fork, in_parent, in_child);
}

void counters_fork_add(struct counters_file *file)
{
    pthread_once(&registered, watch_forks);
    pthread_mutex_lock(&lock);
    file->next = files;
    files = file;
    pthread_mutex_unlock(&lock);
}

void counters_fork_remove(struct counters_file *file)
{
    struct counters_file **link = &files;

    pthread_mutex_lock(&lock);
    while (*link != NULL && *link != file)
        link = &(*link)->next;
    if (*link != NULL)
        *link = file->next;
    pthread_mutex_unlock(&lock);
}
