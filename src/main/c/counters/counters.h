/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters of a worker or a host, in memory that is also a file, so that other processes can read
 * them at any time without involving the writer. One thread writes; each value has 8 aligned bytes
 * and is stored atomically, in the machine's byte order, which is little-endian. docs/counters.md
 * defines the values; the Java package dev.jurom.service.counters reads this layout.
 *
 *     0     header    192   written once, the magic last
 *     192   values    192   24 values; every command touches those of the first cache line
 *     384   histogram 2432  sampled durations, in ticks (clock.h)
 *     2816  errors    6144  32 errors
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
#define COUNTERS_SUFFIX ".counters"  /* of all files; a worker has unnamed memory instead */
#define COUNTERS_SAMPLE_INTERVAL 128 /* commands per timed command */
#define COUNTERS_CALLBACKS 16        /* numbers of callbacks for each plugin */

enum counters_kind {
    COUNTERS_DAEMON = 1, /* written in Java alone */
    COUNTERS_WORKER = 2,
    COUNTERS_HOST = 3,
};

/* Values that every command touches. Workers and hosts have them in the same slots. */
enum counters_command {
    COUNTERS_BEGUN,     /* host: submitted commands; worker: unanswered commands, now */
    COUNTERS_ENDED,     /* answered or completed commands */
    COUNTERS_BYTES_IN,  /* worker: size of the commands, including headers */
    COUNTERS_BYTES_OUT, /* worker: size of the answers, including headers */
    COUNTERS_FAILED,    /* commands that failed */
    COUNTERS_SAMPLE,    /* private to the writer: key of the command that is timed */
    COUNTERS_SINCE,     /* private to the writer: its start in ticks; 0: none is timed */
    COUNTERS_LEFT,      /* private to the writer: commands until the next that is timed */
    COUNTERS_COLD,      /* the first value that most commands do not touch */
};

enum counters_worker {
    COUNTERS_WAITING = COUNTERS_COLD, /* commands that their plugin has deferred, now */
    COUNTERS_REFUSED,                 /* commands that no plugin received */
    COUNTERS_ABANDONED,               /* commands whose host disconnected before the answer */
    COUNTERS_DROPPED,                 /* notifications that belong to no pending command */
    COUNTERS_HOSTS,                   /* connected hosts, now */
    COUNTERS_HOSTS_IN_ALL,            /* hosts that have connected */
    COUNTERS_CALLBACK, /* 1 + COUNTERS_CALLBACKS * number of the plugin + its running callback, now; 0: none */
    COUNTERS_BUSY, /* until when that callback may run, in ns of CLOCK_MONOTONIC; 0: not announced */
    COUNTERS_POLLED, /* when the worker last looked for events, between callbacks, in ns of CLOCK_MONOTONIC */
};

enum counters_host {
    COUNTERS_HELD_BACK = COUNTERS_COLD, /* commands that waited for room in the channel */
    COUNTERS_NO_TASK,                   /* failed allocations, since all tasks were in use */
    COUNTERS_NOT_SENT,                  /* failed submissions */
    COUNTERS_WORKERS,                   /* connected workers, now */
    COUNTERS_WORKERS_LOST,
};

/* Events that count as errors; counters_error.c defines their texts. */
enum counters_event {
    COUNTERS_COMMAND_ANSWERED, /* worker: with an error */
    COUNTERS_CONNECTION_ENDED, /* worker: a host violated the protocol, or memory is exhausted */
    COUNTERS_COMMAND_FAILED,   /* host */
    COUNTERS_COMMAND_NOT_SENT, /* host */
    COUNTERS_WORKER_EXITED,    /* host: a worker was lost */
    COUNTERS_WORKER_KILLED,
    COUNTERS_WORKER_UNRESPONSIVE,
    COUNTERS_WORKER_DISCONNECTED,
};

/* A distinct error with the number of its occurrences. */
struct counters_error {
    uint64_t count;    /* 0: a free slot */
    uint64_t first_ns; /* since 1970 */
    uint64_t last_ns;
    uint64_t key;             /* private to the writer: identifies the error */
    char text[COUNTERS_TEXT]; /* UTF-8, NUL-terminated */
};

struct counters {
    char magic[8];
    uint32_t version;
    uint32_t kind;
    uint64_t size;
    uint64_t process_id;
    uint64_t process_start; /* clock ticks since boot, as in /proc/PID/stat */
    uint64_t began_ns;      /* since 1970 */
    uint64_t number;        /* id of the worker */
    uint64_t ticks_per_second;
    char label[COUNTERS_LABEL]; /* UTF-8, NUL-terminated: name for users */
    uint64_t values[COUNTERS_VALUES];
    uint64_t histogram[COUNTERS_BUCKETS];
    struct counters_error errors[COUNTERS_ERRORS];
};

_Static_assert(offsetof(struct counters, values) == 192
                && offsetof(struct counters, histogram) == 384
                && offsetof(struct counters, errors) == 2816 && sizeof(struct counters) == 8960,
        "other processes read this layout");

/* counters.c */

/*
 * Creates a file of the full size that only its owner may read. Returns its descriptor, or -1 with
 * errno, for example if the disk is full.
 */
int counters_make_file(int directory, const char *name);
/*
 * Creates unnamed memory that can neither grow nor shrink, so that untrusted processes may have it
 * open. Takes ownership of the descriptor `empty`, a memfd that the service keeps to read the final
 * values, or creates one if it is -1. Returns the descriptor, or -1.
 */
int counters_make_memory(int empty);
/* Maps such a file or memory and closes `fd`. Returns NULL if it is neither. */
struct counters *counters_map(int fd);
/* Maps it over zeroed pages of the caller; `fd` stays open. False: the pages are unchanged. */
bool counters_map_over(struct counters *pages, int fd);
/* Replaces mapped pages with private ones that have the same values. */
void counters_detach(struct counters *counters);
/* Maps private memory, for a writer without a file. Returns NULL without memory. */
struct counters *counters_map_private(void);
/* Unmaps counters. NULL is allowed. */
void counters_unmap(struct counters *counters);
/* Writes the header; readers accept the counters from now on. */
void counters_begin(
        struct counters *counters, enum counters_kind kind, uint64_t number, const char *label);

/* counters_error.c */

/* Counts an error. DOCA_SUCCESS: the event has no status. */
void counters_note(struct counters *counters, enum counters_event event, doca_error_t status);

/* counters_sample.c */

/* Begins to time the command with this key. Returns false if another command is being timed. */
bool counters_begin_sample(struct counters *counters, uint64_t key);
/* Ends the timing. No effect if no command is being timed. */
void counters_end_sample(struct counters *counters);

/*
 * Adds to a value. One thread writes, so only each store must be atomic; compilers would split an
 * addition into a load and a store that they may move apart.
 */
static inline void counters_add(struct counters *counters, unsigned slot, uint64_t count)
{
#if defined(__x86_64__)
    __asm__("addq %1, %0" : "+m"(counters->values[slot]) : "er"(count) : "cc");
#else
    counters->values[slot] += count;
#endif
}

/* Sets a value. */
static inline void counters_set(struct counters *counters, unsigned slot, uint64_t value)
{
    counters->values[slot] = value;
}

/* Counts a command that begins. Returns whether to time it. */
static inline bool counters_is_sample_due(struct counters *counters)
{
#if defined(__x86_64__)
    bool none_left;

    __asm__("subq $1, %0" : "+m"(counters->values[COUNTERS_LEFT]), "=@ccz"(none_left));
    return none_left;
#else
    return --counters->values[COUNTERS_LEFT] == 0;
#endif
}

/* Returns whether the command with this key, which completes, is being timed. */
static inline bool counters_is_sampled(const struct counters *counters, uint64_t key)
{
    return counters->values[COUNTERS_SAMPLE] == key;
}

#endif /* JUROM_COUNTERS_H_ */
