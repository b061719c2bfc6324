/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asynchronous close of links. UCX closes an endpoint only while its worker is progressed, and may
 * have to wait for a peer that does not read. A link that cannot be closed immediately moves to a
 * list, which owns it. The owners of channels poll the list; each step of a close has a deadline.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include <common/idle.h>

#include "channel_ucx_private.h"

#define FLUSH_NS 10000000 /* limit for sending the data that was put */
#define CLOSE_NS 50000000
#define STEPS_AT_ONCE 64 /* of a close; enough for a peer that reads */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list and its links */
static struct ucx_link *closing;
static atomic_uint closing_count;
static _Atomic(pid_t) closing_process; /* a forked child must not touch its parent's links */

static bool request_is_done(const struct ucx_link *link)
{
    return !UCS_PTR_IS_PTR(link->request)
            || ucp_request_check_status(link->request) != UCS_INPROGRESS;
}

static void begin_step(struct ucx_link *link, ucs_status_ptr_t request, uint64_t ns)
{
    link->request = request;
    link->deadline = idle_now_ns() + ns;
}

static void end_step(struct ucx_link *link)
{
    if (UCS_PTR_IS_PTR(link->request))
        ucp_request_free(link->request);
    link->request = NULL;
}

static void begin_flush(struct ucx_link *link)
{
    static const ucp_request_param_t none;

    link->flushing = true;
    begin_step(link, ucp_ep_flush_nbx(link->endpoint, &none), FLUSH_NS);
}

static void begin_close(struct ucx_link *link)
{
    static const ucp_request_param_t force = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
        .flags = UCP_EP_CLOSE_FLAG_FORCE,
    };

    link->flushing = false;
    begin_step(link, ucp_ep_close_nbx(link->endpoint, &force), CLOSE_NS);
}

static void free_link(struct ucx_link *link)
{
    ucx_pieces_free(link);
    ucx_spares_free(link);
    ucp_worker_release_address(link->worker, link->address);
    ucp_worker_destroy(link->worker);
    ucx_context_release(link->context);
    free(link);
}

/* Advances a close. Returns true if the link is freed, or had to be abandoned. */
static bool move_on(struct ucx_link *link)
{
    bool late = idle_now_ns() >= link->deadline;

    ucp_worker_progress(link->worker);
    if (link->flushing && (late || request_is_done(link))) {
        end_step(link);
        begin_close(link);
        late = false;
    }
    if (link->flushing || (!late && (!request_is_done(link) || link->posted > 0)))
        return false;
    if (!request_is_done(link) || link->posted > 0) {
        end_step(link);
        ucx_pieces_free(link);
        return true; /* leaks the link: UCX aborts if a worker with unsent messages is destroyed */
    }
    end_step(link);
    free_link(link);
    return true;
}

static void add(struct ucx_link *link)
{
    pthread_mutex_lock(&lock);
    closing_process = getpid();
    link->next = closing;
    closing = link;
    atomic_fetch_add(&closing_count, 1);
    pthread_mutex_unlock(&lock);
}

void ucx_link_close(struct ucx_link *link, bool flush)
{
    bool closed = false;

    if (link->endpoint == NULL) {
        free_link(link);
        return;
    }
    if (flush && link->failure[0] == '\0')
        begin_flush(link);
    else
        begin_close(link);
    ucx_link_fail(link, "The link is closed", UCS_OK); /* drops messages that still arrive */
    for (unsigned i = 0; i < STEPS_AT_ONCE && !closed; ++i)
        closed = move_on(link);
    if (!closed)
        add(link);
}

static void move_all_on(void)
{
    struct ucx_link **at = &closing;

    while (*at != NULL) {
        struct ucx_link *next = (*at)->next;

        if (!move_on(*at)) {
            at = &(*at)->next;
        } else {
            *at = next;
            atomic_fetch_sub(&closing_count, 1);
        }
    }
}

unsigned ucx_links_closing(void)
{
    if (atomic_load(&closing_count) == 0 || closing_process != getpid())
        return 0;
    if (pthread_mutex_trylock(&lock) == 0) {
        move_all_on();
        pthread_mutex_unlock(&lock);
    }
    return atomic_load(&closing_count);
}

__attribute__((destructor)) void ucx_links_finish(void)
{
    uint64_t end = idle_now_ns() + FLUSH_NS + CLOSE_NS;

    while (ucx_links_closing() > 0 && idle_now_ns() < end)
        sched_yield();
}
