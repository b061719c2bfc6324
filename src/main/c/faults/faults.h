/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fault points: named places where a test can inject a fault. points.def lists them. They exist
 * only in builds with JUROM_FAULTS; in other builds a macro expands to the call that it wraps, or
 * to nothing. The kind of a point determines its macro; other macros do not compile.
 *
 * Points of the kinds STATE, CONNECTION, CALL, ALLOCATION and TRANSFER can also delay, stop or kill
 * their process. Points neither lock nor allocate, and are cheap without a table.
 */
#ifndef JUROM_FAULTS_H_
#define JUROM_FAULTS_H_

/* The values are those in the table. */
enum fault_action {
    FAULT_NONE,
    FAULT_FAIL,  /* argument: errno; 0: EIO */
    FAULT_SHORT, /* argument: maximum number of bytes */
    FAULT_DELAY, /* argument: nanoseconds */
    FAULT_DROP,
    FAULT_KILL,
    FAULT_STOP,
    FAULT_SEGV,
    FAULT_CORRUPT, /* arguments: offset of the byte, bits to flip */
    FAULT_JUMP,    /* argument: nanoseconds */
    FAULT_SILENCE,
    FAULT_TWICE,
    FAULT_WRONG_CONTEXT,
    FAULT_WRONG_LENGTH,
};

#ifdef JUROM_FAULTS

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The points' numbers. A name contains the kind of its point: FAULT_CALL_worker_accept. */
enum fault_point {
#define FAULT_POINT(name, kind, text) FAULT_##kind##_##name,
#include "points.def"
#undef FAULT_POINT
    FAULT_POINTS
};

/* Counts a reach of the point. Delays, stops or kills the process if that is requested. */
void fault_reach(unsigned point);
/* As fault_reach, and shuts the connection down if that is requested. */
void fault_connection(unsigned point, int fd);
/* As fault_reach, and returns whether the call must fail; if so, sets errno. */
bool fault_fails(unsigned point);
/* Returns the length of a transfer, possibly shortened, but not to 0. Counts no reach. */
size_t fault_length(unsigned point, size_t length);
/* Counts a reach, and corrupts one of the bytes if that is requested. */
void fault_bytes(unsigned point, const void *bytes, size_t length);
/* Counts a reach, and returns the nanoseconds by which this process's clocks have jumped. */
int64_t fault_jump(unsigned point);
/* Counts a reach, and returns the fault of the answer, or FAULT_NONE. */
enum fault_action fault_answer(unsigned point);
/* Tells tests that this process is the worker with this id. */
void fault_worker(uint64_t id);
/* Returns the length of an answer, or an invalid one if requested. Counts no reach. */
size_t fault_answer_length(unsigned point, size_t length);

/* STATE: a step of a protocol. */
#define FAULT_REACH(name) fault_reach(FAULT_STATE_##name)

/* CONNECTION: a step at which the connection `fd` may be shut down. */
#define FAULT_DROP(name, fd) fault_connection(FAULT_CONNECTION_##name, fd)

/* CALL: a system call, or its failure value (-1 or `failed`). */
#define FAULT_CALL(name, call) (fault_fails(FAULT_CALL_##name) ? -1 : (call))
#define FAULT_CALL_OR(name, failed, call) (fault_fails(FAULT_CALL_##name) ? (failed) : (call))

/* ALLOCATION: memory, or NULL. */
#define FAULT_ALLOCATE(name, call) (fault_fails(FAULT_ALLOCATION_##name) ? NULL : (call))

/* TRANSFER: a read or write that fails, or that FAULT_LENGTH shortens. */
#define FAULT_TRANSFER(name, call) (fault_fails(FAULT_TRANSFER_##name) ? -1 : (call))
#define FAULT_LENGTH(name, length) fault_length(FAULT_TRANSFER_##name, length)

/* HEADER: sent or received bytes, one of which may be corrupted. */
#define FAULT_BYTES(name, bytes, length) fault_bytes(FAULT_HEADER_##name, bytes, length)

/* CLOCK: `now` plus the nanoseconds by which the clock has jumped so far. */
#define FAULT_TIME(name, now) ((now) + (uint64_t)fault_jump(FAULT_CLOCK_##name))

/* ANSWER: the fault of a plugin's answer (SILENCE, TWICE, WRONG_CONTEXT), and of its length. */
#define FAULT_ANSWER(name) fault_answer(FAULT_ANSWER_##name)
#define FAULT_ANSWER_LENGTH(name, length) fault_answer_length(FAULT_ANSWER_##name, length)

/* Tells tests which worker this process is. */
#define FAULTS_OF_WORKER(id) fault_worker(id)

#else

#define FAULT_REACH(name) ((void)0)
#define FAULT_DROP(name, fd) ((void)0)
#define FAULT_CALL(name, call) (call)
#define FAULT_CALL_OR(name, failed, call) (call)
#define FAULT_ALLOCATE(name, call) (call)
#define FAULT_TRANSFER(name, call) (call)
#define FAULT_LENGTH(name, length) (length)
#define FAULT_BYTES(name, bytes, length) ((void)0)
#define FAULT_TIME(name, now) (now)
#define FAULT_ANSWER(name) FAULT_NONE
#define FAULT_ANSWER_LENGTH(name, length) (length)
#define FAULTS_OF_WORKER(id) ((void)0)

#endif /* JUROM_FAULTS */

#endif /* JUROM_FAULTS_H_ */
