/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All-gathers between hosts of a run, C and Java, by files in a folder that they share:
 *
 *     RUN-ROUND-INDEX   what participant INDEX gives in this round, whole as soon as it is there
 *     RUN-gone-INDEX    it takes part no more: said by itself, or by who has seen it end
 *
 * FileExchange in Java does the same. Who waits for one that is gone is told so, and nobody waits
 * longer than a deadline.
 */
#ifndef JUROM_FAULT_GATHERING_H_
#define JUROM_FAULT_GATHERING_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#define GATHERING_FOLDER "JUROM_RUN_EXCHANGE" /* the variable that names the folder */
#define GATHERING_PARTICIPANTS_MAX 4

struct gathering {
    unsigned run;
    unsigned index;
    unsigned participants;
    unsigned round; /* counted from 1 */
    uint8_t *receive;
    size_t length;
    bool has[GATHERING_PARTICIPANTS_MAX];
    uint64_t deadline_ms;
};

/* Begins a round; `receive` has room for `length` bytes of each. */
doca_error_t gathering_begin(
        struct gathering *gathering, const void *send, void *receive, size_t length);

/*
 * SUCCESS: all bytes are here. IN_PROGRESS; it has slept a little then, because nobody else will.
 * CONNECTION_RESET: one that is awaited is gone. TIME_OUT. Else: what was given does not fit.
 */
doca_error_t gathering_test(struct gathering *gathering);

/* Whether another participant is gone. */
bool gathering_has_lost(const struct gathering *gathering);

/* This one takes part no more. */
void gathering_leave(const struct gathering *gathering);

#endif /* JUROM_FAULT_GATHERING_H_ */
