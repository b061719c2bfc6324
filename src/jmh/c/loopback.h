/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Round trips of loopback commands through libdoca_urom to a worker process of this host, with
 * --depth commands in flight. --size is the size of the answer in bytes, including the value of 8
 * bytes.
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
    size_t length; /* length of a command */
    struct doca_urom_worker_cmd_task **tasks;
    uint64_t submitted;
    uint64_t completed;
    uint64_t limit; /* total number of commands to submit */
};

/* Starts a worker on the second core of the options. Does not pin the caller. */
void loopback_open(struct loopback *loopback, const struct options *options);

/* Starts another worker of the host of `first`, which must be closed last. */
void loopback_open_beside(
        struct loopback *loopback, const struct loopback *first, const struct options *options);

/* Executes one command. */
void loopback_once(struct loopback *loopback);

/* Executes the given number of commands, --depth at a time. */
void loopback_stream(struct loopback *loopback, size_t count);

/* Begins the given number of commands; the caller must progress the host to execute them. */
void loopback_begin(struct loopback *loopback, size_t count);

/* Returns whether all commands are complete. */
static inline bool loopback_is_done(const struct loopback *loopback)
{
    return loopback->completed == loopback->limit;
}

void loopback_close(struct loopback *loopback);

#endif /* LOOPBACK_H_ */
