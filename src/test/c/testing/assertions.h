/* SPDX-License-Identifier: Apache-2.0 */
/* Assertions with detailed messages, and bounded waits. */
#ifndef JUROM_TESTING_ASSERTIONS_H_
#define JUROM_TESTING_ASSERTIONS_H_

#include <stdbool.h>
#include <stdint.h>

#include <cmocka_all.h>
#include <doca_error.h>

/* Fails unless `call` returns `expected`; prints the call and both status codes. */
#define assert_status(expected, call) \
    assert_status_at((expected), (call), #call, __FILE__, __LINE__)
#define assert_success(call) assert_status(DOCA_SUCCESS, call)

void assert_status_at(
        doca_error_t expected, doca_error_t actual, const char *call, const char *file, int line);

/*
 * Waits until `condition` holds, yielding the processor between evaluations, and fails after
 * `milliseconds`. For conditions that depend on other threads or processes.
 */
#define await(condition, milliseconds) \
    do { \
        uint64_t await_end_ = deadline_in(milliseconds); \
        while (!(condition)) { \
            if (deadline_has_passed(await_end_)) \
                fail_msg("not within %d ms: %s", (int)(milliseconds), #condition); \
            give_way(); \
        } \
    } while (0)

/* Returns the time `milliseconds` from now; returns whether a deadline has passed. */
uint64_t deadline_in(unsigned milliseconds);
bool deadline_has_passed(uint64_t deadline);

/* Yields the processor briefly. */
void give_way(void);

/*
 * For loops that poll: counts polls without effect in `idle`, and yields the processor after the first
 * thousand.
 */
void give_way_when_idle(unsigned *idle);

#endif /* JUROM_TESTING_ASSERTIONS_H_ */
