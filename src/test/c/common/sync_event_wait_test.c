/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks that wait for a counter, in engines that poll and engines that sleep. */
#include "sync_event_task_fixture.h"

#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <common/sync_event.h>

#define SECONDS 1000       /* ms */
#define DESTROYED_US 50000 /* longer than a destruction that does not wait */

static void a_wait_completes_when_the_masked_counter_has_the_value(void **state)
{
    struct doca_task *equal = make_equal(0x10, 0xf0, 1), *other = make_other(0, 0xf, 2);

    (void)state;
    assert_ok(doca_task_submit(equal));
    assert_ok(doca_task_submit(other));
    assert_int_equal(0, doca_pe_progress(pe));

    assert_ok(doca_sync_event_update_set(event, 0x320));
    assert_int_equal(0, doca_pe_progress(pe));
    assert_ok(doca_sync_event_update_set(event, 0x310));
    assert_int_equal(1, doca_pe_progress(pe));
    assert_int_equal(0, doca_pe_progress(pe));
    assert_ok(doca_sync_event_update_set(event, 1));
    assert_int_equal(1, doca_pe_progress(pe));

    assert_int_equal(1, order[0]);
    assert_int_equal(2, order[1]);
    doca_task_free(equal);
    doca_task_free(other);
}

static void a_wait_whose_condition_holds_completes_in_the_next_progress(void **state)
{
    struct doca_task *equal = make_equal(0, ALL_BITS, 1);

    (void)state;
    assert_ok(doca_task_submit(equal));
    assert_int_equal(0, completed);
    assert_int_equal(1, doca_pe_progress(pe));
    assert_int_equal(1, completed);
    doca_task_free(equal);
}

static void simultaneous_waits_complete_in_order_one_per_progress(void **state)
{
    struct doca_task *tasks[TASKS];
    int i;

    (void)state;
    for (i = 0; i < TASKS; ++i) {
        tasks[i] = make_equal(1, ALL_BITS, (uint64_t)i);
        assert_ok(doca_task_submit(tasks[i]));
    }
    assert_ok(doca_sync_event_update_set(event, 1));
    for (i = 0; i < TASKS; ++i) {
        assert_int_equal(1, doca_pe_progress(pe));
        assert_int_equal(i + 1, completed);
        assert_int_equal(i, order[i]);
        doca_task_free(tasks[i]);
    }
}

static void waits_fail_when_the_context_stops(void **state)
{
    struct doca_task *waiting = make_equal(1, ALL_BITS, 1), *set = make_set(5, 2);

    (void)state;
    assert_ok(doca_task_submit(waiting));
    assert_ok(doca_task_submit(set));
    assert_int_equal(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(ctx));
    while (state_of(ctx) != DOCA_CTX_STATE_IDLE)
        progress_one(pe);

    assert_int_equal(1, failed);
    assert_int_equal(1, completed);
    assert_int_equal(DOCA_ERROR_SHUTDOWN, doca_task_get_status(waiting));
    doca_task_free(waiting);
    doca_task_free(set);
}

static int handle(void)
{
    doca_notification_handle_t fd;

    assert_ok(doca_pe_get_notification_handle(pe, &fd));
    return fd;
}

static void *update_now(void *argument)
{
    (void)argument;
    doca_sync_event_update_add(event, 1, NULL);
    return NULL;
}

static void an_update_in_another_thread_wakes_a_sleeping_engine(void **state)
{
    struct pollfd readable = { .fd = handle(), .events = POLLIN };
    struct doca_task *waiting = make_equal(1, ALL_BITS, 1);
    pthread_t thread;

    (void)state;
    assert_ok(doca_task_submit(waiting));
    assert_int_equal(0, doca_pe_progress(pe));
    assert_ok(doca_pe_request_notification(pe));
    assert_int_equal(0, poll(&readable, 1, 0));

    assert_int_equal(0, pthread_create(&thread, NULL, update_now, NULL));
    assert_int_equal(1, poll(&readable, 1, 10 * SECONDS));
    pthread_join(thread, NULL);
    assert_ok(doca_pe_clear_notification(pe, handle()));
    assert_int_equal(1, doca_pe_progress(pe));
    doca_task_free(waiting);
}

/* When the handle is readable, the application clears it, progresses, and requests again. */
static void an_update_wakes_a_wait_submitted_by_an_event_handler(void **state)
{
    struct pollfd readable = { .fd = handle(), .events = POLLIN };
    struct doca_task *waiting = make_equal(1, ALL_BITS, 1);
    pthread_t thread;
    unsigned wakes;

    (void)state;
    request_notification(pe);
    assert_ok(doca_task_submit(waiting));
    assert_int_equal(0, pthread_create(&thread, NULL, update_now, NULL));
    for (wakes = 0; completed == 0; ++wakes) {
        assert_int_equal(1, poll(&readable, 1, 10 * SECONDS));
        assert_ok(doca_pe_clear_notification(pe, handle()));
        while (doca_pe_progress(pe) != 0)
            continue;
        assert_ok(doca_pe_request_notification(pe));
    }

    assert_true(wakes <= 2);
    pthread_join(thread, NULL);
    doca_task_free(waiting);
}

static void an_update_before_the_request_makes_the_handle_readable_immediately(void **state)
{
    struct pollfd readable = { .fd = handle(), .events = POLLIN };
    struct doca_task *waiting = make_equal(1, ALL_BITS, 1);

    (void)state;
    assert_ok(doca_task_submit(waiting));
    assert_int_equal(0, doca_pe_progress(pe));
    assert_ok(doca_sync_event_update_set(event, 1));
    assert_ok(doca_pe_request_notification(pe));

    assert_int_equal(1, poll(&readable, 1, 0));
    progress_one(pe);
    doca_task_free(waiting);
}

static void memory_that_other_code_may_change_is_polled(void **state)
{
    struct pollfd readable = { .fd = handle(), .events = POLLIN };
    static uint64_t memory;
    struct doca_task *waiting;

    (void)state;
    stop_context(pe, ctx);
    memory = 0;
    assert_ok(doca_sync_event_set_addr(event, &memory));
    assert_ok(doca_ctx_start(ctx));
    waiting = make_equal(1, ALL_BITS, 1);
    assert_ok(doca_task_submit(waiting));
    assert_ok(doca_pe_request_notification(pe));
    assert_int_equal(1, poll(&readable, 1, 0));

    __atomic_store_n(&memory, 1, __ATOMIC_SEQ_CST);
    progress_one(pe);
    assert_int_equal(1, completed);
    doca_task_free(waiting);
}

static void *destroy_event(void *destroyed)
{
    doca_sync_event_destroy(destroyed);
    return NULL;
}

/* A thread that has updated the counter may wake the engine. */
static void destruction_waits_for_threads_that_update_the_event(void **state)
{
    struct doca_sync_event *other = make_event();
    pthread_t thread;

    (void)state;
    assert_ok(doca_pe_connect_ctx(pe, doca_sync_event_as_ctx(other)));
    atomic_fetch_add(&other->users, 1); /* as a thread does in an update */
    assert_int_equal(0, pthread_create(&thread, NULL, destroy_event, other));
    usleep(DESTROYED_US);
    assert_ptr_equal(pe, other->ctx.pe);

    atomic_fetch_sub(&other->users, 1);
    pthread_join(thread, NULL);
}

#define STARTED(test) cmocka_unit_test_setup_teardown(test, start_event, stop_event)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STARTED(a_wait_completes_when_the_masked_counter_has_the_value),
        STARTED(a_wait_whose_condition_holds_completes_in_the_next_progress),
        STARTED(simultaneous_waits_complete_in_order_one_per_progress),
        STARTED(waits_fail_when_the_context_stops),
        STARTED(an_update_in_another_thread_wakes_a_sleeping_engine),
        STARTED(an_update_wakes_a_wait_submitted_by_an_event_handler),
        STARTED(an_update_before_the_request_makes_the_handle_readable_immediately),
        STARTED(memory_that_other_code_may_change_is_polled),
        STARTED(destruction_waits_for_threads_that_update_the_event),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
