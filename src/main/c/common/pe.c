/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Progress engine: runs one event per call, in posting order, and polls for more if there is none.
 * The application owns it; one thread uses it at a time. Contexts remain connected until they are
 * destroyed.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <faults/faults.h>

#include "ctx.h"
#include "idle.h"
#include "pe.h"
#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::PE)

#define EVENTS_BETWEEN_POLLS 64 /* while the queue does not run empty */

struct doca_pe {
    struct pe_event *first;
    struct pe_event *last;
    struct pe_poller *pollers;
    struct pe_poller *next_poller; /* of the current round, so that polls may remove pollers */
    struct idle idle;
    unsigned unpolled; /* events run since the last poll */
    bool armed;        /* a notification was requested, and there has been no event since */
    struct pe_attachment *attachments;
    struct doca_ctx *contexts;
    int epoll_fd; /* the notification handle: event_fd and the pollers' descriptors */
    int event_fd;
};

void priv_doca_pe_post(struct doca_pe *pe, struct pe_event *event)
{
    if (event->queued)
        return;

    event->queued = true;
    event->next = NULL;
    if (pe->first == NULL)
        pe->first = event;
    else
        pe->last->next = event;
    pe->last = event;
    pe_notify(pe);
}

void priv_doca_pe_withdraw(struct doca_pe *pe, struct pe_event *event)
{
    struct pe_event *before = NULL;

    if (!event->queued)
        return;

    for (struct pe_event *at = pe->first; at != event; at = at->next)
        before = at;
    if (before == NULL)
        pe->first = event->next;
    else
        before->next = event->next;
    if (pe->last == event)
        pe->last = before;
    event->queued = false;
}

doca_error_t priv_doca_pe_add_poller(struct doca_pe *pe, struct pe_poller *poller)
{
    struct epoll_event interest = { .events = EPOLLIN };

    if (poller->fd >= 0
            && FAULT_CALL(
                       engine_watch, epoll_ctl(pe->epoll_fd, EPOLL_CTL_ADD, poller->fd, &interest))
                    != 0)
        return DOCA_ERROR_OPERATING_SYSTEM;

    poller->next = pe->pollers;
    pe->pollers = poller;
    pe_notify(pe); /* the new poller is not armed */
    return DOCA_SUCCESS;
}

void priv_doca_pe_remove_poller(struct doca_pe *pe, struct pe_poller *poller)
{
    struct pe_poller **link = &pe->pollers;

    while (*link != NULL && *link != poller)
        link = &(*link)->next;
    if (*link == NULL)
        return;

    *link = poller->next;
    if (pe->next_poller == poller)
        pe->next_poller = poller->next;
    if (poller->fd >= 0)
        epoll_ctl(pe->epoll_fd, EPOLL_CTL_DEL, poller->fd, NULL);
}

void priv_doca_pe_wake(struct doca_pe *pe)
{
    /* Fails only if the counter is saturated, when the descriptor is readable already. */
    (void)!eventfd_write(pe->event_fd, 1);
}

/*
 * `armed` and the queue need no barrier: one thread uses the engine at a time, and a lock orders
 * threads that share it. A source that other threads change needs one: its `arm` stores a flag,
 * then loads the source; those threads store to the source, then load the flag and wake the engine
 * (sync_event_task.c, sync_event_value.c).
 */
void pe_notify(struct doca_pe *pe)
{
    if (!pe->armed)
        return;

    pe->armed = false;
    priv_doca_pe_wake(pe);
}

struct pe_attachment *priv_doca_pe_attachment(struct doca_pe *pe, const void *key)
{
    struct pe_attachment *attachment = pe->attachments;

    while (attachment != NULL && attachment->key != key)
        attachment = attachment->next;
    return attachment;
}

void priv_doca_pe_attach(struct doca_pe *pe, struct pe_attachment *attachment)
{
    attachment->next = pe->attachments;
    pe->attachments = attachment;
}

void pe_add_context(struct doca_pe *pe, struct doca_ctx *ctx)
{
    ctx->next = pe->contexts;
    pe->contexts = ctx;
}

void pe_remove_context(struct doca_pe *pe, struct doca_ctx *ctx)
{
    struct doca_ctx **link = &pe->contexts;

    while (*link != ctx)
        link = &(*link)->next;
    *link = ctx->next;
}

static void close_descriptor(int fd)
{
    if (fd >= 0)
        close(fd);
}

doca_error_t doca_pe_create(struct doca_pe **pe)
{
    struct epoll_event interest = { .events = EPOLLIN };
    struct doca_pe *engine;

    if (pe == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    engine = FAULT_ALLOCATE(engine_memory, calloc(1, sizeof(*engine)));
    if (engine == NULL)
        return DOCA_ERROR_NO_MEMORY;

    engine->epoll_fd = FAULT_CALL(engine_descriptor_make, epoll_create1(EPOLL_CLOEXEC));
    engine->event_fd = FAULT_CALL(engine_descriptor_make, eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (engine->epoll_fd < 0 || engine->event_fd < 0
            || epoll_ctl(engine->epoll_fd, EPOLL_CTL_ADD, engine->event_fd, &interest) != 0) {
        SDK_LOG_ERR("The progress engine's notification handle could not be created: %s. "
                    "Raise the limit of open files (ulimit -n).",
                strerror(errno));
        close_descriptor(engine->epoll_fd);
        close_descriptor(engine->event_fd);
        free(engine);
        return DOCA_ERROR_OPERATING_SYSTEM;
    }
    idle_init(&engine->idle);
    *pe = engine;
    return DOCA_SUCCESS;
}

doca_error_t doca_pe_destroy(struct doca_pe *pe)
{
    if (pe == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (pe->contexts != NULL) {
        SDK_LOG_DBG("The progress engine has connected contexts, including a %s: destroy them "
                    "first",
                pe->contexts->operations->name);
        return DOCA_ERROR_IN_USE;
    }

    while (pe->attachments != NULL) {
        struct pe_attachment *attachment = pe->attachments;

        pe->attachments = attachment->next;
        attachment->destroy(attachment);
    }
    close(pe->epoll_fd);
    close(pe->event_fd);
    free(pe);
    return DOCA_SUCCESS;
}

static unsigned poll_all(struct doca_pe *pe)
{
    struct pe_poller *poller;
    unsigned found = 0;

    for (poller = pe->pollers; poller != NULL; poller = pe->next_poller) {
        pe->next_poller = poller->next;
        found += poller->poll(poller);
    }
    return found;
}

/* Returns the result of doca_pe_progress. */
static uint8_t run_first_event(struct doca_pe *pe)
{
    struct pe_event *event = pe->first;
    bool silent = event->silent;

    pe->first = event->next;
    event->queued = false;
    event->run(event);
    return !silent;
}

uint8_t doca_pe_progress(struct doca_pe *pe)
{
    if (pe == NULL)
        return 0;

    /* Tasks that complete immediately and are submitted again must not starve the pollers. */
    if (pe->first == NULL || ++pe->unpolled > EVENTS_BETWEEN_POLLS) {
        pe->unpolled = 0;
        if (poll_all(pe) == 0 && pe->first == NULL) {
            idle_step(&pe->idle);
            return 0;
        }
    }
    idle_found_work(&pe->idle);
    if (pe->first == NULL)
        return 0;
    return run_first_event(pe);
}

doca_error_t doca_pe_get_notification_handle(
        const struct doca_pe *pe, doca_notification_handle_t *handle)
{
    if (pe == NULL || handle == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *handle = pe->epoll_fd;
    return DOCA_SUCCESS;
}

doca_error_t doca_pe_clear_notification(struct doca_pe *pe, doca_notification_handle_t handle)
{
    eventfd_t wakes;

    if (pe == NULL || handle != pe->epoll_fd)
        return DOCA_ERROR_INVALID_VALUE;

    pe->armed = false;
    /* Fails only if nothing woke the engine. */
    (void)!eventfd_read(pe->event_fd, &wakes);
    return DOCA_SUCCESS;
}

doca_error_t doca_pe_request_notification(struct doca_pe *pe)
{
    bool ready;

    if (pe == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    pe->armed = true; /* so that an event posted by `arm` notifies */
    ready = pe->first != NULL;
    for (struct pe_poller *poller = pe->pollers; poller != NULL && !ready; poller = poller->next)
        ready = poller->arm(poller) != DOCA_SUCCESS;
    if (ready)
        pe_notify(pe);
    return DOCA_SUCCESS;
}

doca_error_t doca_pe_get_num_inflight_tasks(const struct doca_pe *pe, size_t *num_inflight_tasks)
{
    if (pe == NULL || num_inflight_tasks == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *num_inflight_tasks = 0;
    for (const struct doca_ctx *ctx = pe->contexts; ctx != NULL; ctx = ctx->next)
        *num_inflight_tasks += ctx->inflight;
    return DOCA_SUCCESS;
}

doca_error_t doca_pe_set_event_mode(struct doca_pe *pe, enum doca_pe_event_mode event_mode)
{
    if (pe == NULL
            || (event_mode != DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE
                    && event_mode != DOCA_PE_EVENT_MODE_PROGRESS_ALL))
        return DOCA_ERROR_INVALID_VALUE;
    /* Both modes poll every source: contexts share one transport, so there is nothing to select. */
    return DOCA_SUCCESS;
}
