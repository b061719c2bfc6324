/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All-gather operations between C and Java hosts of a run, through files in a shared folder:
 *
 *     RUN-ROUND-INDEX   the block of participant INDEX in this round, created atomically
 *     RUN-left-INDEX    participant INDEX left; created by itself or by the parent process
 *
 * FileExchange is the Java counterpart. If a participant left, the others receive an error; waits
 * are bounded by a deadline.
 */
#ifndef JUROM_FAULT_ALLGATHER_H_
#define JUROM_FAULT_ALLGATHER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#define ALLGATHER_FOLDER "JUROM_RUN_EXCHANGE" /* the variable with the path of the folder */
#define ALLGATHER_PARTICIPANTS_MAX 4

struct allgather {
    unsigned run;
    unsigned index;
    unsigned participants;
    unsigned round; /* counted from 1 */
    uint8_t *receive;
    size_t length;
    bool has[ALLGATHER_PARTICIPANTS_MAX];
    uint64_t deadline_ms;
};

/* Begins a round; `receive` has space for `length` bytes of each participant. */
doca_error_t allgather_begin(
        struct allgather *allgather, const void *send, void *receive, size_t length);

/*
 * Returns SUCCESS when all blocks are received; IN_PROGRESS after a short sleep, since the caller
 * polls in a loop; CONNECTION_RESET if a participant left before providing its block; TIME_OUT;
 * or another error if a block is invalid.
 */
doca_error_t allgather_test(struct allgather *allgather);

/* Returns whether another participant has left. */
bool allgather_has_member_left(const struct allgather *allgather);

/* Leaves the exchange. */
void allgather_leave(const struct allgather *allgather);

#endif /* JUROM_FAULT_ALLGATHER_H_ */
