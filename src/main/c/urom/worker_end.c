/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <common/printable.h>

#include "worker_context.h"

#define SIGNALLED 128 /* exit statuses above this are 128 + the signal */

/* Returns the sentence, or NULL if there is no memory. */
static char *describe(uint64_t id, const char *verb, const char *reason, size_t length)
{
    char *printable = priv_doca_printable(reason, length);
    char *text = NULL;

    if (printable != NULL && asprintf(&text, "worker %lu %s%s", id, verb, printable) < 0)
        text = NULL;
    free(printable);
    return text;
}

void worker_end_lost(
        struct doca_urom_worker *worker, const char *verb, const char *reason, size_t length)
{
    struct worker_end *end = &worker->end;
    struct timespec now;

    if (length > 0 && reason[length - 1] == '.')
        --length;
    clock_gettime(CLOCK_REALTIME, &now);
    if (end->end.time_ns == 0)
        end->end.time_ns = now.tv_sec * 1000000000ll + now.tv_nsec;
    if (end->loss == NULL)
        end->loss = describe(worker->link.spawned_id, verb, reason, length);
}

/* The text of the service begins with "Worker 7 ". */
void worker_end_gone(struct doca_urom_worker *worker, const struct wire_worker_gone *gone)
{
    struct jurom_urom_worker_end *end = &worker->end.end;
    const char *reason = (const char *)gone->text.data;
    size_t length = gone->text.length;
    char name[32];
    size_t begin = (size_t)snprintf(name, sizeof(name), "Worker %lu ", worker->link.spawned_id);

    if (length > begin && memcmp(reason, name, begin) == 0) {
        reason += begin;
        length -= begin;
    }
    worker_end_lost(worker, "", reason, length);
    if (gone->flags & WIRE_FLAG_UNRESPONSIVE) {
        end->kind = JUROM_UROM_WORKER_END_UNRESPONSIVE;
    } else if (gone->exit_status <= SIGNALLED) {
        end->kind = JUROM_UROM_WORKER_END_EXITED;
        end->value = (int32_t)gone->exit_status;
    } else if (gone->exit_status < 2 * SIGNALLED) {
        end->kind = JUROM_UROM_WORKER_END_SIGNALLED;
        end->value = (int32_t)gone->exit_status - SIGNALLED;
    }
}

doca_error_t worker_end_refuse(struct worker_end *end, doca_error_t error, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    int length;

    if (end->refused != DOCA_SUCCESS)
        return error;
    end->refused = error;
    va_start(arguments, format);
    length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length >= 0) {
        end->refusal = priv_doca_printable(text, (size_t)length);
        free(text);
    }
    return error;
}

void worker_end_clear(struct worker_end *end)
{
    free(end->refusal);
    end->refusal = NULL;
    end->refused = DOCA_SUCCESS;
    free(end->loss);
    end->loss = NULL;
    end->end = (struct jurom_urom_worker_end){ 0 };
}

const char *worker_end_loss(const struct worker_end *end)
{
    return end->loss == NULL ? "" : end->loss;
}

void worker_end_observe(struct worker_end *end, struct worker_observer *observer)
{
    observer->next = end->observers;
    end->observers = observer;
}

void worker_end_unobserve(struct worker_end *end, struct worker_observer *observer)
{
    struct worker_observer **link = &end->observers;

    while (*link != NULL && *link != observer)
        link = &(*link)->next;
    if (*link != NULL)
        *link = observer->next;
}

void worker_end_notify(struct worker_end *end, bool destroyed)
{
    struct worker_observer *next;

    for (struct worker_observer *observer = end->observers; observer != NULL; observer = next) {
        next = observer->next;
        observer->lost(observer, destroyed);
    }
}

doca_error_t jurom_urom_worker_get_end(
        const struct doca_urom_worker *worker, struct jurom_urom_worker_end *end)
{
    if (worker == NULL || end == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (worker->end.end.time_ns == 0)
        return DOCA_ERROR_NOT_FOUND;

    *end = worker->end.end;
    return DOCA_SUCCESS;
}

int32_t jurom_urom_worker_get_process(const struct doca_urom_worker *worker)
{
    return worker == NULL || worker->channel.handle == NULL ? 0
                                                            : channel_peer(worker->channel.handle);
}

const char *jurom_urom_worker_get_refusal(
        const struct doca_urom_worker *worker, doca_error_t *error)
{
    if (error != NULL)
        *error = worker == NULL ? DOCA_SUCCESS : worker->end.refused;
    return worker == NULL || worker->end.refusal == NULL ? "" : worker->end.refusal;
}

const char *jurom_urom_worker_get_loss(const struct doca_urom_worker *worker)
{
    return worker == NULL ? "" : worker_end_loss(&worker->end);
}
