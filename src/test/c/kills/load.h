/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A load of concurrent commands to worker_puppet or worker_graph, each with unique content. Each
 * answer is compared with its command and timed. Failed commands are not repeated.
 */
#ifndef JUROM_KILLS_LOAD_H_
#define JUROM_KILLS_LOAD_H_

#include <testing/contexts.h>

#define LOAD_MAX 64         /* commands in flight */
#define LOAD_BYTES_MAX 3800 /* of text in a command */

#define LOAD_TIMES 20000 /* buckets of the histogram; the last one also counts slower answers */
#define LOAD_STEP_NS 500

struct load_command {
    struct test_command command;
    char text[LOAD_BYTES_MAX + 1];
    size_t length;
    uint64_t number;
    uint64_t submitted; /* ns */
    bool in_flight;
};

struct load {
    struct load_command commands[LOAD_MAX];
    unsigned count;
    unsigned length_max;
    unsigned pause_us; /* maximum pause between two rounds */
    bool loopback;     /* the plugin is worker_graph */
    bool held;         /* the plugin holds the commands and does not answer */
    bool ending;       /* no further commands are submitted */
    unsigned in_flight;
    uint64_t resume; /* ns */
    uint64_t random;
    uint64_t number;
    pid_t process; /* worker process of the last answer; 0: none yet */
    uint64_t answers, wrong, failures;
    uint64_t slowest_ns;        /* since the last status */
    uint64_t first_failure;     /* ns, 0: none */
    uint32_t times[LOAD_TIMES]; /* latency histogram with buckets of LOAD_STEP_NS */
};

/* Allocates `count` tasks of the worker, which must be running, and submits them. */
void load_begin(struct load *load, const struct test_worker *worker, uint64_t plugin);

/* Submits the next round if its pause is over. */
void load_continue(struct load *load);

/* Returns the remaining pause in ms, or -1 if no round is pending. */
int load_pause_ms(const struct load *load);

/* Returns the quantile of the latencies, in ns. */
uint64_t load_quantile(const struct load *load, double share);

/* Releases the tasks. None may be in flight. */
void load_release(struct load *load);

#endif /* JUROM_KILLS_LOAD_H_ */
