/* SPDX-License-Identifier: Apache-2.0 */
/* Worker context: how its process ended, and why a start failed, as the application is told. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <common/printable.h>

#include "worker.h"

#define SIGNALLED 128 /* an exit status above this is that of a signal */

/* NULL: no memory. */
static char *describe(uint64_t id, const char *verb, const char *why, size_t length)
{
    char *printable = priv_doca_printable(why, length);
    char *text = NULL;

    if (printable != NULL && asprintf(&text, "worker %lu %s%s", id, verb, printable) < 0)
        text = NULL;
    free(printable);
    return text;
}

/* Keeps the first reason: "did not answer for 60 s", of the service, or the channel's. */
void worker_note_loss(
        struct doca_urom_worker *worker, const char *verb, const char *why, size_t length)
{
    struct timespec now;

    if (length > 0 && why[length - 1] == '.')
        --length;
    clock_gettime(CLOCK_REALTIME, &now);
    if (worker->end.time_ns == 0)
        worker->end.time_ns = now.tv_sec * 1000000000ll + now.tv_nsec;
    if (worker->loss == NULL)
        worker->loss = describe(worker->spawned_id, verb, why, length);
}

/* The text of the service begins with "Worker 7 ". */
void worker_note_end(struct doca_urom_worker *worker, const struct wire_worker_gone *gone)
{
    const char *why = (const char *)gone->text.data;
    size_t length = gone->text.length;
    char name[32];
    size_t begin = (size_t)snprintf(name, sizeof(name), "Worker %lu ", worker->spawned_id);

    if (length > begin && memcmp(why, name, begin) == 0) {
        why += begin;
        length -= begin;
    }
    worker_note_loss(worker, "", why, length);
    if (gone->flags & WIRE_FLAG_UNRESPONSIVE) {
        worker->end.kind = JUROM_UROM_WORKER_END_UNRESPONSIVE;
    } else if (gone->exit_status <= SIGNALLED) {
        worker->end.kind = JUROM_UROM_WORKER_END_EXITED;
        worker->end.value = (int32_t)gone->exit_status;
    } else if (gone->exit_status < 2 * SIGNALLED) {
        worker->end.kind = JUROM_UROM_WORKER_END_SIGNALLED;
        worker->end.value = (int32_t)gone->exit_status - SIGNALLED;
    }
}

doca_error_t worker_refuse(
        struct doca_urom_worker *worker, doca_error_t error, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    int length;

    if (worker->refused != DOCA_SUCCESS)
        return error;
    worker->refused = error;
    va_start(arguments, format);
    length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length >= 0) {
        worker->refusal = priv_doca_printable(text, (size_t)length);
        free(text);
    }
    return error;
}

void worker_forget_end(struct doca_urom_worker *worker)
{
    free(worker->refusal);
    worker->refusal = NULL;
    worker->refused = DOCA_SUCCESS;
    free(worker->loss);
    worker->loss = NULL;
    worker->end = (struct jurom_urom_worker_end){ 0 };
}

const char *worker_loss(const struct doca_urom_worker *worker)
{
    return worker->loss == NULL ? "" : worker->loss;
}

doca_error_t jurom_urom_worker_get_end(
        const struct doca_urom_worker *worker, struct jurom_urom_worker_end *end)
{
    if (worker == NULL || end == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (worker->end.time_ns == 0)
        return DOCA_ERROR_NOT_FOUND;

    *end = worker->end;
    return DOCA_SUCCESS;
}

const char *jurom_urom_worker_get_refusal(
        const struct doca_urom_worker *worker, doca_error_t *error)
{
    if (error != NULL)
        *error = worker == NULL ? DOCA_SUCCESS : worker->refused;
    return worker == NULL || worker->refusal == NULL ? "" : worker->refusal;
}

const char *jurom_urom_worker_get_loss(const struct doca_urom_worker *worker)
{
    return worker == NULL ? "" : worker_loss(worker);
}
