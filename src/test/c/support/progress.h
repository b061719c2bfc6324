/* SPDX-License-Identifier: Apache-2.0 */
/* Progresses an engine with a deadline. */
#ifndef JUROM_TEST_PROGRESS_H_
#define JUROM_TEST_PROGRESS_H_

#include "cmocka_all.h"

#include <poll.h>
#include <stdbool.h>
#include <time.h>

#include <doca_ctx.h>
#include <doca_pe.h>

#define PROGRESS_DEADLINE 10 /* seconds */

static inline time_t monotonic_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* Progresses until one completion or transition has been delivered. */
static inline void progress_one(struct doca_pe *pe)
{
    time_t deadline = monotonic_seconds() + PROGRESS_DEADLINE;

    while (doca_pe_progress(pe) == 0)
        assert_true(monotonic_seconds() < deadline);
}

/* Requests a notification, which must not be pending yet. */
static inline void request_notification(struct doca_pe *pe)
{
    struct pollfd wakes = { .events = POLLIN };

    assert_int_equal(DOCA_SUCCESS, doca_pe_get_notification_handle(pe, &wakes.fd));
    assert_int_equal(DOCA_SUCCESS, doca_pe_request_notification(pe));
    assert_int_equal(0, poll(&wakes, 1, 0));
}

/* Returns whether the requested notification has arrived, and clears it. */
static inline bool was_notified(struct doca_pe *pe)
{
    struct pollfd wakes = { .events = POLLIN };
    bool notified;

    assert_int_equal(DOCA_SUCCESS, doca_pe_get_notification_handle(pe, &wakes.fd));
    notified = poll(&wakes, 1, 0) == 1;
    assert_int_equal(DOCA_SUCCESS, doca_pe_clear_notification(pe, wakes.fd));
    return notified;
}

static inline enum doca_ctx_states state_of(const struct doca_ctx *ctx)
{
    enum doca_ctx_states state;

    assert_int_equal(DOCA_SUCCESS, doca_ctx_get_state(ctx, &state));
    return state;
}

/* Stops the context and progresses until it is idle. */
static inline void stop_context(struct doca_pe *pe, struct doca_ctx *ctx)
{
    doca_error_t status = doca_ctx_stop(ctx);

    assert_true(status == DOCA_SUCCESS || status == DOCA_ERROR_IN_PROGRESS);
    while (state_of(ctx) != DOCA_CTX_STATE_IDLE)
        progress_one(pe);
}

#endif /* JUROM_TEST_PROGRESS_H_ */
