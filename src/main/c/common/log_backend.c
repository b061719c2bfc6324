/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Log backends: a stream, a file descriptor, a buffer with a callback, or syslog. Backends and the
 * streams, descriptors and buffers passed to them must remain valid until the process exits.
 * Thread-safe; lines do not interleave.
 */
#include <faults/faults.h>

#include "log_registry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

static doca_error_t write_file(
        struct doca_log_backend *backend, uint32_t level, const char *line, size_t length)
{
    (void)level;
    if (FAULT_CALL_OR(log_write, 0, fwrite(line, 1, length, backend->file)) != length
            || fflush(backend->file) != 0)
        return DOCA_ERROR_IO_FAILED;
    return DOCA_SUCCESS;
}

static doca_error_t write_fd(
        struct doca_log_backend *backend, uint32_t level, const char *line, size_t length)
{
    ssize_t written;

    (void)level;
    while (length > 0) {
        written = write(backend->fd, line, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return DOCA_ERROR_IO_FAILED;
        line += written;
        length -= (size_t)written;
    }
    return DOCA_SUCCESS;
}

/* Passes each line separately to the callback, truncated to the buffer. */
static doca_error_t write_buffer(
        struct doca_log_backend *backend, uint32_t level, const char *line, size_t length)
{
    (void)level;
    if (length > backend->capacity - 1)
        length = backend->capacity - 1;
    memcpy(backend->buffer, line, length);
    backend->buffer[length] = '\0';
    backend->flush(backend->buffer);
    return DOCA_SUCCESS;
}

static int syslog_priority(uint32_t level)
{
    switch (level) {
    case DOCA_LOG_LEVEL_CRIT:
        return LOG_CRIT;
    case DOCA_LOG_LEVEL_ERROR:
        return LOG_ERR;
    case DOCA_LOG_LEVEL_WARNING:
        return LOG_WARNING;
    case DOCA_LOG_LEVEL_INFO:
        return LOG_INFO;
    default:
        return LOG_DEBUG;
    }
}

/* Sets the name for every line: syslog has one per process, and backends may differ. */
static doca_error_t write_syslog(
        struct doca_log_backend *backend, uint32_t level, const char *line, size_t length)
{
    openlog(backend->name, LOG_PID, LOG_USER);
    syslog(syslog_priority(level), "%.*s", (int)length, line);
    return DOCA_SUCCESS;
}

/* Writes warnings and more severe messages to standard error, all others to standard output. */
static doca_error_t write_standard(
        struct doca_log_backend *backend, uint32_t level, const char *line, size_t length)
{
    backend->file = level <= DOCA_LOG_LEVEL_WARNING ? stderr : stdout;
    return write_file(backend, level, line, length);
}

/* Adds a copy of `model` to the registry, with the limits of its kind. */
static doca_error_t add(const struct doca_log_backend *model, struct doca_log_backend **backend)
{
    struct doca_log_backend *added = malloc(sizeof(*added));
    bool sdk = model->kind == LOG_KIND_SDK;

    if (added == NULL)
        return DOCA_ERROR_NO_MEMORY;
    *added = *model;

    pthread_mutex_lock(&log_registry.lock);
    added->lower = sdk ? log_registry.sdk : log_registry.lower;
    added->upper = sdk ? (uint32_t)DOCA_LOG_LEVEL_CRIT : log_registry.upper;
    added->next = log_registry.backends;
    log_registry.backends = added;
    log_update_thresholds();
    pthread_mutex_unlock(&log_registry.lock);

    *backend = added;
    return DOCA_SUCCESS;
}

static doca_error_t add_file(enum log_kind kind, FILE *file, struct doca_log_backend **backend)
{
    const struct doca_log_backend model = { .kind = kind, .write = write_file, .file = file };

    if (file == NULL || backend == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    return add(&model, backend);
}

static doca_error_t add_fd(enum log_kind kind, int fd, struct doca_log_backend **backend)
{
    const struct doca_log_backend model = { .kind = kind, .write = write_fd, .fd = fd };

    if (fd < 0 || backend == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    return add(&model, backend);
}

static doca_error_t add_buffer(enum log_kind kind, char *buffer, size_t capacity,
        log_flush_callback flush, struct doca_log_backend **backend)
{
    const struct doca_log_backend model = {
        .kind = kind,
        .write = write_buffer,
        .buffer = buffer,
        .capacity = capacity,
        .flush = flush,
    };

    if (buffer == NULL || capacity == 0 || flush == NULL || backend == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    return add(&model, backend);
}

static doca_error_t add_syslog(
        enum log_kind kind, const char *name, struct doca_log_backend **backend)
{
    struct doca_log_backend model = { .kind = kind, .write = write_syslog };
    doca_error_t status;

    if (name == NULL || backend == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    model.name = strdup(name);
    if (model.name == NULL)
        return DOCA_ERROR_NO_MEMORY;

    status = add(&model, backend);
    if (status != DOCA_SUCCESS)
        free(model.name);
    return status;
}

doca_error_t doca_log_backend_create_with_file(FILE *fptr, struct doca_log_backend **backend)
{
    return add_file(LOG_KIND_APPLICATION, fptr, backend);
}

doca_error_t doca_log_backend_create_with_fd(int fd, struct doca_log_backend **backend)
{
    return add_fd(LOG_KIND_APPLICATION, fd, backend);
}

doca_error_t doca_log_backend_create_with_buf(
        char *buf, size_t capacity, log_flush_callback handler, struct doca_log_backend **backend)
{
    return add_buffer(LOG_KIND_APPLICATION, buf, capacity, handler, backend);
}

doca_error_t doca_log_backend_create_with_syslog(
        const char *name, struct doca_log_backend **backend)
{
    return add_syslog(LOG_KIND_APPLICATION, name, backend);
}

doca_error_t doca_log_backend_create_with_file_sdk(FILE *fptr, struct doca_log_backend **backend)
{
    return add_file(LOG_KIND_SDK, fptr, backend);
}

doca_error_t doca_log_backend_create_with_fd_sdk(int fd, struct doca_log_backend **backend)
{
    return add_fd(LOG_KIND_SDK, fd, backend);
}

doca_error_t doca_log_backend_create_with_buf_sdk(
        char *buf, size_t capacity, log_flush_callback handler, struct doca_log_backend **backend)
{
    return add_buffer(LOG_KIND_SDK, buf, capacity, handler, backend);
}

doca_error_t doca_log_backend_create_with_syslog_sdk(
        const char *name, struct doca_log_backend **backend)
{
    return add_syslog(LOG_KIND_SDK, name, backend);
}

doca_error_t doca_log_backend_create_standard(void)
{
    static const struct doca_log_backend model = {
        .kind = LOG_KIND_APPLICATION,
        .write = write_standard,
    };
    static struct doca_log_backend *standard; /* guarded by the registry's lock */
    doca_error_t status = DOCA_SUCCESS;

    pthread_mutex_lock(&log_registry.lock);
    if (standard == NULL)
        status = add(&model, &standard);
    pthread_mutex_unlock(&log_registry.lock);
    return status;
}
