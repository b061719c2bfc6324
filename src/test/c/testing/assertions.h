/* SPDX-License-Identifier: Apache-2.0 */
/* Assertions that say what they saw, and waits that end. */
#ifndef JUROM_TESTING_ASSERTIONS_H_
#define JUROM_TESTING_ASSERTIONS_H_

#include <stdbool.h>
#include <stdint.h>

#include <cmocka_all.h>
#include <doca_error.h>

/* Fails unless `call` answers `expected`; both are named. */
#define assert_status(expected, call) \
    assert_status_at((expected), (call), #call, __FILE__, __LINE__)
#define assert_success(call) assert_status(DOCA_SUCCESS, call)

void assert_status_at(
        doca_error_t expected, doca_error_t actual, const char *call, const char *file, int line);

/*
 * Evaluates `condition` until it holds, yielding in between, and fails when it does not within
 * `milliseconds`. For what other threads and processes do.
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

/* A point in time `milliseconds` from now, and whether it has passed. */
uint64_t deadline_in(unsigned milliseconds);
bool deadline_has_passed(uint64_t deadline);

/* Lets others run for a moment. */
void give_way(void);

#endif /* JUROM_TESTING_ASSERTIONS_H_ */
