/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A child that is forked off closes the descriptors of its parent's channels at once: it would
 * otherwise hide from the peers that the parent has gone. There the channels have ended. Nothing
 * else of theirs is touched in the child, neither rings, which are not mapped there, nor TLS, which
 * would say good-bye in the parent's name.
 */
#include <pthread.h>
#include <stdio.h>

#include "inner.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the list, and over a fork */
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
            snprintf(channel->why, sizeof(channel->why), "%s",
                    "The connection belongs to the process that this one was forked from.");
        }
    }
    channels = NULL;
    pthread_mutex_unlock(&lock);
}

static void watch_forks(void)
{
    pthread_atfork(before_fork, in_parent, in_child);
}

void forks_add(struct channel *channel)
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

void forks_remove(struct channel *channel)
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
