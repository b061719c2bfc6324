/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a worker or a host counts, in memory that is a file as well, so that others read it at any
 * time and whoever counts never knows. One thread writes; each value is 8 bytes, aligned, and
 * stored as a whole. docs/counters.md has the layout and what each value means; its twin in Java is
 * the package dev.jurom.counters. All in the machine's byte order, which is little-endian.
 *
 *     0     header    192   written once, the magic last
 *     192   values    192   24 of them; the first line is what each command touches
 *     384   histogram 2432  of sampled times, in ticks (clock.h)
 *     2816  errors    6144  32 of them
 */
#ifndef JUROM_COUNTERS_H_
#define JUROM_COUNTERS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "clock.h"

#define COUNTERS_MAGIC "JUROMCNT"
#define COUNTERS_VERSION 1
#define COUNTERS_LABEL 128
#define COUNTERS_VALUES 24
#define COUNTERS_BUCKETS 304
#define COUNTERS_ERRORS 32
#define COUNTERS_TEXT 160
#define COUNTERS_ENDING ".counters" /* of all files; a worker has none, but memory */
#define COUNTERS_SAMPLED 128        /* of so many commands, one is timed; */
#define COUNTERS_CALLBACKS 16       /* numbers of callbacks for each plugin */

enum counters_kind {
    COUNTERS_DAEMON = 1, /* written in Java alone */
    COUNTERS_WORKER = 2,
    COUNTERS_HOST = 3,
};

/* What a command touches has the same place in a worker's file and in a host's: the first line. */
enum counters_command {
    COUNTERS_BEGUN,     /* host: commands submitted; worker, now: commands not answered */
    COUNTERS_ENDED,     /* commands answered, or completed */
    COUNTERS_BYTES_IN,  /* worker: of commands, with their headers */
    COUNTERS_BYTES_OUT, /* worker: of answers, with their headers */
    COUNTERS_FAILED,    /* commands that ended with an error */
    COUNTERS_SAMPLE,    /* the writer's own: the command that is timed */
    COUNTERS_SINCE,     /* the writer's own: when it began, in ticks; 0: none is timed */
    COUNTERS_LEFT,      /* the writer's own: commands until the next that is timed */
    COUNTERS_COLD,      /* from here on what most commands do not touch */
};

enum counters_worker {
    COUNTERS_WAITING = COUNTERS_COLD, /* now: commands that their plugin has left for later */
    COUNTERS_REFUSED,                 /* commands that no plugin was given */
    COUNTERS_ABANDONED,               /* commands whose host left before they were answered */
    COUNTERS_DROPPED,                 /* notifications for which no command waited */
    COUNTERS_HOSTS,                   /* now: hosts that are connected */
    COUNTERS_HOSTS_IN_ALL,
    COUNTERS_CALLBACK, /* now: 1 + COUNTERS_CALLBACKS * a plugin's number + its callback; 0: none */
};

enum counters_host {
    COUNTERS_HELD_BACK = COUNTERS_COLD, /* commands that waited for room on their way */
    COUNTERS_NO_TASK,                   /* allocations refused because all tasks were in use */
    COUNTERS_NOT_SENT,                  /* submissions refused */
    COUNTERS_WORKERS,                   /* now: workers that are connected */
    COUNTERS_WORKERS_LOST,
};

/* Events that count as errors; error.c has their phrases. */
enum counters_event {
    COUNTERS_COMMAND_ANSWERED, /* worker: with an error */
    COUNTERS_CONNECTION_ENDED, /* worker: of a host that broke a rule, or for want of memory */
    COUNTERS_COMMAND_FAILED,   /* host */
    COUNTERS_COMMAND_NOT_SENT, /* host */
    COUNTERS_WORKER_EXITED,    /* host: a worker was lost */
    COUNTERS_WORKER_KILLED,
    COUNTERS_WORKER_UNRESPONSIVE,
    COUNTERS_WORKER_DISCONNECTED,
};

/* The same error again is counted again. */
struct counters_error {
    uint64_t count;    /* 0: a free place */
    uint64_t first_ns; /* since 1970 */
    uint64_t last_ns;
    uint64_t key;             /* the writer's own: tells it from others */
    char text[COUNTERS_TEXT]; /* UTF-8, NUL-terminated */
};

struct counters {
    char magic[8];
    uint32_t version;
    uint32_t kind;
    uint64_t size;
    uint64_t process_id;
    uint64_t process_start; /* clock ticks after boot, as /proc/PID/stat has it */
    uint64_t began_ns;      /* since 1970 */
    uint64_t number;        /* the worker's id */
    uint64_t ticks_per_second;
    char label[COUNTERS_LABEL]; /* UTF-8, NUL-terminated: which one it is, for people */
    uint64_t values[COUNTERS_VALUES];
    uint64_t histogram[COUNTERS_BUCKETS];
    struct counters_error errors[COUNTERS_ERRORS];
};

_Static_assert(offsetof(struct counters, values) == 192
                && offsetof(struct counters, histogram) == 384
                && offsetof(struct counters, errors) == 2816 && sizeof(struct counters) == 8960,
        "the layout is the same for all who read it");

/*
 * file.c: a new file with room for all, readable by its owner alone. The descriptor, or -1 with
 * errno: its disk may be full.
 */
int counters_make_file(int directory, const char *name);

/*
 * file.c: the same without a name: memory that can neither grow nor shrink, so that a process that
 * must not be trusted may have it open. Takes the empty memfd at `path`, which the service holds to
 * read it at the end, or makes one if that is NULL or cannot be opened. The descriptor, or -1.
 */
int counters_make_memory(const char *path);

/* file.c: the file in memory. Takes over `fd`. NULL: it is no such file. */
struct counters *counters_map(int fd);

/* file.c: maps the file over zeroed pages of the caller; `fd` stays open. False: they stay. */
bool counters_map_over(struct counters *pages, int fd);

/* file.c: puts private pages with the same values in place of those of a file. */
void counters_detach(struct counters *counters);

/* file.c: counts where nobody reads. NULL: no memory. */
struct counters *counters_map_nothing(void);
void counters_unmap(struct counters *counters);

/* file.c: says whose they are; readers see them from now on. */
void counters_begin(
        struct counters *counters, enum counters_kind kind, uint64_t number, const char *label);

/* error.c: counts an error; DOCA_SUCCESS: the event says all. */
void counters_note(struct counters *counters, enum counters_event event, doca_error_t status);

/* sample.c: the command of this key is timed from now on. False: another is. */
bool counters_sample(struct counters *counters, uint64_t key);

/* sample.c: the command that is timed has ended; harmless if none is. */
void counters_sampled(struct counters *counters);

/*
 * One thread writes, so nothing has to be atomic but each store. An addition is one instruction,
 * which compilers would take apart to have its parts elsewhere.
 */
static inline void counters_add(struct counters *counters, unsigned place, uint64_t count)
{
#if defined(__x86_64__)
    __asm__("addq %1, %0" : "+m"(counters->values[place]) : "er"(count) : "cc");
#else
    counters->values[place] += count;
#endif
}

static inline void counters_set(struct counters *counters, unsigned place, uint64_t value)
{
    counters->values[place] = value;
}

/* Whether the command that begins is one that may be timed. */
static inline bool counters_is_sample(struct counters *counters)
{
#if defined(__x86_64__)
    bool none_left;

    __asm__("subq $1, %0" : "+m"(counters->values[COUNTERS_LEFT]), "=@ccz"(none_left));
    return none_left;
#else
    return --counters->values[COUNTERS_LEFT] == 0;
#endif
}

/* Whether the command that ends is the one that is timed, or has its key. */
static inline bool counters_is_sampled(const struct counters *counters, uint64_t key)
{
    return counters->values[COUNTERS_SAMPLE] == key;
}

#endif /* JUROM_COUNTERS_H_ */
