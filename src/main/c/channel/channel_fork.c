/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A forked child immediately closes the descriptors of its parent's channels: otherwise, peers
 * would not detect that the parent has exited. In the child, the channels have ended. The child
 * must not touch their other resources: rings are not mapped there, and TLS would send a
 * close_notify on behalf of the parent.
 */
#include <pthread.h>
#include <stdio.h>

#include "channel_private.h"

static pthread_mutex_t lock =
        PTHREAD_MUTEX_INITIALIZER; /* guards the list, and is held during a fork */
static pthread_once_t registered = PTHREAD_ONCE_INIT;
static struct channel *channels;

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
    for (struct channel *channel = channels; channel != NULL; channel = channel->next) {
        channel->forked = true;
        watch_close(&channel->watch);
        if (!has_ended(channel)) {
            channel->status = DOCA_ERROR_BAD_STATE;
            snprintf(channel->reason, sizeof(channel->reason), "%s",
                    "The connection belongs to the parent of this forked process.");
        }
    }
    channels = NULL;
    pthread_mutex_unlock(&lock);
}

static void watch_forks(void)
{
    pthread_atfork(before_fork, in_parent, in_child);
}

void channel_fork_add(struct channel *channel)
{
    pthread_once(&registered, watch_forks);
    pthread_mutex_lock(&lock);
    channel->previous = NULL;
    channel->next = channels;
    if (channels != NULL)
        channels->previous = channel;
    channels = channel;
    pthread_mutex_unlock(&lock);
}

void channel_fork_remove(struct channel *channel)
{
    if (channel->forked)
        return;

    pthread_mutex_lock(&lock);
    if (channel->previous != NULL)
        channel->previous->next = channel->next;
    else
        channels = channel->next;
    if (channel->next != NULL)
        channel->next->previous = channel->previous;
    pthread_mutex_unlock(&lock);
}
