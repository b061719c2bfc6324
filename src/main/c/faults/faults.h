/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fault points: places with a name where a test may have something go wrong. points.def lists them.
 * Only a build of its own has them (JUROM_FAULTS): in every other a macro is the call that it
 * wraps, or nothing. The kind of a point says which macro it is for; another does not compile.
 *
 * Where not bytes, answers or the time are at stake, a point also delays, stops or ends its process
 * when it is told to. Without a table they are cheap; they take no lock and no memory.
 */
#ifndef JUROM_FAULTS_H_
#define JUROM_FAULTS_H_

/* The numbers are those that the table has. */
enum fault_action {
    FAULT_NONE,
    FAULT_FAIL,  /* with this errno */
    FAULT_SHORT, /* so many bytes at most */
    FAULT_DELAY, /* so many nanoseconds */
    FAULT_DROP,
    FAULT_KILL,
    FAULT_STOP,
    FAULT_SEGV,
    FAULT_CORRUPT, /* the byte at this offset, by these bits */
    FAULT_JUMP,    /* so many nanoseconds */
    FAULT_SILENCE,
    FAULT_TWICE,
    FAULT_WRONG_CONTEXT,
    FAULT_WRONG_LENGTH,
};

#ifdef JUROM_FAULTS

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A point's number, and its name with the kind that it must have: FAULT_CALL_worker_accept. */
enum fault_point {
#define FAULT_POINT(name, kind, text) FAULT_##kind##_##name,
#include "points.def"
#undef FAULT_POINT
    FAULT_POINTS
};

void fault_reach(unsigned point);
void fault_connection(unsigned point, int fd);
bool fault_fails(unsigned point);
size_t fault_length(unsigned point, size_t length);
void fault_bytes(unsigned point, const void *bytes, size_t length);
int64_t fault_jump(unsigned point);
enum fault_action fault_answer(unsigned point);
size_t fault_answer_length(unsigned point, size_t length);

/* STATE: a protocol has come this far. */
#define FAULT_REACH(name) fault_reach(FAULT_STATE_##name)

/* CONNECTION: the same, where the connection of `fd` may break. */
#define FAULT_DROP(name, fd) fault_connection(FAULT_CONNECTION_##name, fd)

/* CALL: a system call, or its failure: -1, or what else it gives. */
#define FAULT_CALL(name, call) (fault_fails(FAULT_CALL_##name) ? -1 : (call))
#define FAULT_CALL_OR(name, failed, call) (fault_fails(FAULT_CALL_##name) ? (failed) : (call))

/* ALLOCATION: memory, or NULL. */
#define FAULT_ALLOCATE(name, call) (fault_fails(FAULT_ALLOCATION_##name) ? NULL : (call))

/* TRANSFER: a read or write that fails, or has only as many bytes as FAULT_LENGTH lets it. */
#define FAULT_TRANSFER(name, call) (fault_fails(FAULT_TRANSFER_##name) ? -1 : (call))
#define FAULT_LENGTH(name, length) fault_length(FAULT_TRANSFER_##name, length)

/* HEADER: bytes of which one may be damaged, on their way out or in. */
#define FAULT_BYTES(name, bytes, length) fault_bytes(FAULT_HEADER_##name, bytes, length)

/* CLOCK: nanoseconds by which the clock has jumped until now. */
#define FAULT_TIME(name, now) ((now) + (uint64_t)fault_jump(FAULT_CLOCK_##name))

/* ANSWER: what becomes of a plugin's answer: SILENCE, TWICE, WRONG_CONTEXT; and of its length. */
#define FAULT_ANSWER(name) fault_answer(FAULT_ANSWER_##name)
#define FAULT_ANSWER_LENGTH(name, length) fault_answer_length(FAULT_ANSWER_##name, length)

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

#endif /* JUROM_FAULTS */

#endif /* JUROM_FAULTS_H_ */
