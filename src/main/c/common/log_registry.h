/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sources and backends of the log: one registry per process, since the interface has no log
 * object, guarded by one lock. The interface cannot destroy backends.
 *
 * Levels increase with verbosity. A backend writes the messages with upper <= level <= lower:
 * `lower` bounds the least severe level, `upper` the most severe one. SDK backends have no upper
 * limit.
 */
#ifndef JUROM_LOG_REGISTRY_H_
#define JUROM_LOG_REGISTRY_H_

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <doca_log.h>

/* Origin of messages: the application and its plugins (doca_log), or the software DOCA. */
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
    bool lower_strict; /* not changed by the global limit */
    bool upper_strict;
    /* Writes one line that ends in a newline and a NUL, which `length` excludes. */
    doca_error_t (*write)(
            struct doca_log_backend *backend, uint32_t level, const char *line, size_t length);
    FILE *file;
    int fd;
    char *buffer;
    size_t capacity;
    log_flush_callback flush;
    char *name; /* for syslog */
};

struct log_registry {
    pthread_mutex_t lock; /* recursive: a flush callback may call the log */
    struct doca_log_backend *backends;
    uint32_t lower; /* global limits and defaults of new backends */
    uint32_t upper;
    uint32_t sdk;
    char **sources; /* name of source i + 1, or NULL */
    size_t sources_count;
    _Atomic uint32_t threshold[LOG_KINDS]; /* most verbose level of any backend of the kind */
};

extern struct log_registry log_registry;

/* Returns whether `level` is a value of enum doca_log_level. */
bool log_level_is_valid(uint32_t level);

/* Recomputes the thresholds; the caller holds the lock. */
void log_update_thresholds(void);

/* Returns the name of a registered source, or NULL; the caller holds the lock. */
const char *log_source_name(int source);

#endif /* JUROM_LOG_REGISTRY_H_ */
