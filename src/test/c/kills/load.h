/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands to worker_puppet or worker_graph, many at a time, each with bytes of its own; every answer is compared
 * with what was sent, and timed. What fails is given up, and not sent again.
 */
#ifndef JUROM_KILLS_LOAD_H_
#define JUROM_KILLS_LOAD_H_

#include <testing/contexts.h>

#define LOAD_MAX 64         /* commands in flight */
#define LOAD_BYTES_MAX 3800 /* of text in one */

#define LOAD_TIMES 20000 /* slower ones count as the slowest of these */
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
    unsigned rest_us; /* from the last answer of a round to the next round */
    bool loopback;    /* the plugin is worker_graph */
    bool held;        /* the plugin keeps them and answers none */
    bool ending;      /* nothing is submitted any more */
    unsigned in_flight;
    uint64_t resume; /* ns */
    uint64_t random;
    uint64_t number;
    pid_t process; /* that gave the last answer; 0: none so far */
    uint64_t answers, wrong, failures;
    uint64_t slowest_ns;        /* since it was asked last */
    uint64_t first_failure;     /* ns, 0: none */
    uint32_t times[LOAD_TIMES]; /* answers by time, since it was asked last: LOAD_STEP_NS each */
};

/* Allocates `count` tasks of the worker, which must run, and submits them. */
void load_begin(struct load *load, const struct test_worker *worker, uint64_t plugin);

/* Submits what has rested long enough. */
void load_go_on(struct load *load);

/* How long nothing is to be submitted, in ms; -1: for ever. */
int load_rests_ms(const struct load *load);

/* The time in ns that this share of the answers did not exceed, since it was asked last. */
uint64_t load_quantile(const struct load *load, double share);

/* Releases the tasks, none of which is in flight. */
void load_end(struct load *load);

#endif /* JUROM_KILLS_LOAD_H_ */
