/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log's inside: one registry of sources and backends for the process, since the interface has
 * no object to hold it, behind one lock. Backends are never destroyed: the interface cannot.
 *
 * Levels grow with verbosity. A backend writes the messages with upper <= level <= lower: `lower`
 * bounds the least severe, `upper` the most severe. SDK backends have no upper limit.
 */
#ifndef JUROM_LOG_H_
#define JUROM_LOG_H_

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <doca_log.h>

/* Whose messages: the application's and its plugins' (doca_log), or the software DOCA's own. */
enum log_kind {
    LOG_KIND_APPLICATION,
    LOG_KIND_SDK,
    LOG_KINDS,
};

struct doca_log_backend {
    struct doca_log_backend *next;
    enum log_kind kind;
    uint32_t lower;
    uint32_t upper;
    bool lower_strict; /* global changes pass it by */
    bool upper_strict;
    /* Writes one line that ends in a newline and a NUL; `length` counts up to the NUL. */
    doca_error_t (*write)(struct doca_log_backend *backend, uint32_t level, const char *line,
            size_t length);
    FILE *file;
    int fd;
    char *buffer;
    size_t capacity;
    log_flush_callback flush;
    char *name; /* for syslog */
};

/* Where a message comes from. */
struct log_place {
    int source;
    const char *file;
    int line;
    const char *function;
};

struct log_registry {
    pthread_mutex_t lock; /* recursive: a flush callback may call back into the log */
    struct doca_log_backend *backends;
    uint32_t lower; /* global limits: what new backends start with */
    uint32_t upper;
    uint32_t sdk;
    char **sources; /* name of source i + 1; NULL: free */
    size_t sources_count;
    _Atomic uint32_t threshold[LOG_KINDS]; /* highest level that any backend of a kind wants */
};

extern struct log_registry log_registry;

/* True for the values of enum doca_log_level. */
bool log_level_is_valid(uint32_t level);

/* Recomputes the thresholds; the lock is held. */
void log_update_thresholds(void);

/* The name of a registered source, or NULL; the lock is held. */
const char *log_source_name(int source);

/*
 * Makes the line for a message: in `stack` when it fits `size`, else allocated; the caller frees it
 * unless it is `stack`. Never NULL: without memory the line is cut. Sets `length`.
 */
char *log_format_line(uint32_t level, const char *source, const struct log_place *place,
        char *stack, size_t size, size_t *length, const char *format, va_list arguments);

#endif /* JUROM_LOG_H_ */
