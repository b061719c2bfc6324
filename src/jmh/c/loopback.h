/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loopback commands through libdoca_urom to a worker process of this host and back, one at a time
 * or --depth at a time. --size counts the bytes that come back: the command's value, 8 of them, and
 * what follows it.
 */
#ifndef LOOPBACK_H_
#define LOOPBACK_H_

#include "options.h"
#include "urom_host.h"

struct loopback {
    struct urom_host host;
    size_t depth;
    size_t batch;
    size_t held;   /* commands since the last flush */
    size_t length; /* of a command */
    struct doca_urom_worker_cmd_task **tasks;
    uint64_t submitted;
    uint64_t completed;
    uint64_t limit; /* how many to submit in all */
};

/* Starts a worker on the second of the options' cores; the caller stays where it is. */
void loopback_open(struct loopback *loopback, const struct options *options);

/* The same with one more worker of another's host, which must be closed last. */
void loopback_open_beside(
        struct loopback *loopback, const struct loopback *first, const struct options *options);

/* A command there and back. */
void loopback_once(struct loopback *loopback);

/* So many commands, --depth at a time. */
void loopback_stream(struct loopback *loopback, size_t count);

/* The same without the waiting: who progresses the host carries them out. */
void loopback_begin(struct loopback *loopback, size_t count);

/* Whether all that was begun is done. */
static inline bool loopback_is_done(const struct loopback *loopback)
{
    return loopback->completed == loopback->limit;
}

void loopback_close(struct loopback *loopback);

#endif /* LOOPBACK_H_ */
