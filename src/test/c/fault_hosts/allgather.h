/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All-gather operations between the C hosts of a run, through memory that they share since they
 * were forked. If a participant left, the others receive an error; waits are bounded by a deadline.
 */
#ifndef JUROM_FAULT_ALLGATHER_H_
#define JUROM_FAULT_ALLGATHER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#define ALLGATHER_PARTICIPANTS_MAX 4

struct allgather {
    unsigned index;
    unsigned participants;
    unsigned round; /* counted from 0; the next one */
    uint8_t *receive;
    size_t length;
    uint64_t deadline_ms;
};

/* Called before the participants of a run are forked: maps new memory for them. */
void allgather_prepare(void);

/* Begins a round; `receive` has space for `length` bytes of each participant. */
doca_error_t allgather_begin(
        struct allgather *allgather, const void *send, void *receive, size_t length);

/*
 * Returns SUCCESS when all blocks are received; IN_PROGRESS after a short sleep, since the caller
 * polls in a loop; CONNECTION_RESET if a participant left before providing its block; TIME_OUT; or
 * INVALID_VALUE if a block has another length.
 */
doca_error_t allgather_test(struct allgather *allgather);

/* Returns whether another participant has left. */
bool allgather_has_member_left(const struct allgather *allgather);

/* Called when a participant leaves or its process has ended. */
void allgather_leave(unsigned index);

#endif /* JUROM_FAULT_ALLGATHER_H_ */
