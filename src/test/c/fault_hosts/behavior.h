/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Additional behavior of a host, drawn from its seed so that a run can be repeated. It must not
 * affect the service, the worker or other hosts.
 */
#ifndef JUROM_FAULT_BEHAVIOR_H_
#define JUROM_FAULT_BEHAVIOR_H_

#include "worker_activity.h"
#include "job.h"

struct behavior {
    bool flushes;   /* flushes incomplete batches; otherwise the next progress flushes them */
    bool polls;     /* polls instead of sleeping until a notification */
    bool overfills; /* before an abrupt exit, requests more answers than its ring can hold */
    bool closes;    /* if it overfills its ring, closes its connection before exiting */
    bool forks;     /* forks a child that outlives it and keeps inherited descriptors open */
    bool replays;   /* presents its ticket to the worker again after being accepted */
};

struct behavior behavior_of(const struct job *job);

/*
 * Submits commands with more answers than the ring can hold, and does not read any of them. The
 * host must exit afterwards.
 */
void behavior_fill_ring(struct worker_activity *activity);

/*
 * Closes the connection to the worker, but not the connection to the service. Prints whether the
 * worker has also closed its side.
 */
void behavior_close(const struct job *job);

/* Forks a child that runs until `lifeline` is closed. */
void behavior_fork(int lifeline);

/* Presents the last ticket of this process again, and prints whether it was accepted. */
void behavior_replay_ticket(const struct job *job);

#endif /* JUROM_FAULT_BEHAVIOR_H_ */
