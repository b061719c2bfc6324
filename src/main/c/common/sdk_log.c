/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Delivery of messages, of the SDK and of the application, to the backends. Thread-safe. A message
 * that no backend writes costs one comparison. A message from a flush callback is dropped, to
 * prevent recursion.
 */
#include "sdk_log.h"

#include <stdlib.h>

#include "log_format.h"
#include "log_registry.h"

static _Thread_local bool writing;

static bool is_enabled(enum log_kind kind, uint32_t level)
{
    return level <= atomic_load_explicit(&log_registry.threshold[kind], memory_order_relaxed);
}

static doca_error_t write_to_backends(
        enum log_kind kind, uint32_t level, const char *line, size_t length)
{
    doca_error_t status = DOCA_SUCCESS, written;
    struct doca_log_backend *backend;

    for (backend = log_registry.backends; backend != NULL; backend = backend->next)
        if (backend->kind == kind && level <= backend->lower && level >= backend->upper) {
            written = backend->write(backend, level, line, length);
            DOCA_ERROR_PROPAGATE(status, written);
        }
    return status;
}

static doca_error_t log_message(enum log_kind kind, uint32_t level,
        const struct log_location *location, const char *format, va_list arguments)
{
    doca_error_t status = DOCA_ERROR_INVALID_VALUE;
    char stack[1024];
    const char *source;
    size_t length;
    char *line;

    if (format == NULL || level == DOCA_LOG_LEVEL_DISABLE || !log_level_is_valid(level))
        return DOCA_ERROR_INVALID_VALUE;
    if (writing)
        return DOCA_ERROR_NOT_PERMITTED;

    pthread_mutex_lock(&log_registry.lock);
    writing = true;
    source = log_source_name(location->source);
    if (source != NULL) {
        line = log_format_line(
                level, source, location, stack, sizeof(stack), &length, format, arguments);
        status = write_to_backends(kind, level, line, length);
        if (line != stack)
            free(line);
    }
    writing = false;
    pthread_mutex_unlock(&log_registry.lock);
    return status;
}

doca_error_t doca_log(uint32_t level, int source, const char *fname, int line, const char *func,
        const char *format, ...)
{
    const struct log_location location = { source, fname, line, func };
    doca_error_t status;
    va_list arguments;

    if (!is_enabled(LOG_KIND_APPLICATION, level))
        return DOCA_SUCCESS;
    va_start(arguments, format);
    status = log_message(LOG_KIND_APPLICATION, level, &location, format, arguments);
    va_end(arguments);
    return status;
}

void priv_doca_log_sdk(uint32_t level, int source, const char *file, int line, const char *function,
        const char *format, ...)
{
    const struct log_location location = { source, file, line, function };
    va_list arguments;

    if (!is_enabled(LOG_KIND_SDK, level))
        return;
    va_start(arguments, format);
    log_message(LOG_KIND_SDK, level, &location, format, arguments);
    va_end(arguments);
}
