/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the notification handle: request, wait, clear, progress until 0, request again. */
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <doca_pe.h>

#include "test_context.h"

#define WAIT_MS 5000
#define DELIVERIES 2000

/* An event source with a descriptor: each write to it causes one event. */
struct source {
    struct pe_poller poller;
    struct pe_event event;
    struct doca_pe *pe;
    bool busy; /* must be polled, so that waiting is not possible */
    unsigned polls;
    unsigned runs;
    uint64_t delivered;
};

static void run_event(struct pe_event *event)
{
    ++CONTAINER_OF(event, struct source, event)->runs;
}

static unsigned poll_source(struct pe_poller *poller)
{
    struct source *source = CONTAINER_OF(poller, struct source, poller);
    eventfd_t count;

    ++source->polls;
    if (eventfd_read(poller->fd, &count) != 0)
        return 0;
    source->delivered += count;
    priv_doca_pe_post(source->pe, &source->event);
    return 1;
}

static doca_error_t arm_source(struct pe_poller *poller)
{
    return CONTAINER_OF(poller, struct source, poller)->busy ? DOCA_ERROR_AGAIN : DOCA_SUCCESS;
}

static void source_open(struct source *source, struct doca_pe *pe)
{
    int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);

    assert_true(fd >= 0);
    *source = (struct source){
        .poller = { .poll = poll_source, .arm = arm_source, .fd = fd },
        .event = { .run = run_event },
        .pe = pe,
    };
    assert_success(priv_doca_pe_add_poller(pe, &source->poller));
}

static void source_close(struct source *source)
{
    priv_doca_pe_remove_poller(source->pe, &source->poller);
    close(source->poller.fd);
}

static int handle_of(const struct doca_pe *pe)
{
    doca_notification_handle_t handle;

    assert_success(doca_pe_get_notification_handle(pe, &handle));
    return handle;
}

/* Returns whether the handle is readable or becomes readable within `milliseconds`. */
static bool is_readable(const struct doca_pe *pe, int milliseconds)
{
    struct pollfd descriptor = { .fd = handle_of(pe), .events = POLLIN };

    return poll(&descriptor, 1, milliseconds) == 1;
}

static void an_idle_engine_does_not_become_readable(void **state)
{
    assert_success(doca_pe_request_notification(*state));

    assert_false(is_readable(*state, 20));
}

static void the_handle_does_not_change(void **state)
{
    int handle = handle_of(*state);

    assert_success(doca_pe_request_notification(*state));
    assert_success(doca_pe_clear_notification(*state, handle));

    assert_int_equal(handle, handle_of(*state));
}

static void an_event_before_the_request_makes_the_handle_readable_at_once(void **state)
{
    struct test_context context;
    struct test_task task;

    test_context_init(&context, *state);
    test_context_run(&context);
    test_task_init(&task, &context);
    test_task_submit(&task);
    assert_int_equal(0, doca_pe_progress(*state));

    priv_doca_task_complete(&task.base, DOCA_SUCCESS);
    assert_success(doca_pe_request_notification(*state));

    assert_true(is_readable(*state, 0));
    assert_success(doca_pe_clear_notification(*state, handle_of(*state)));
    assert_false(is_readable(*state, 0));
    assert_int_equal(1, doca_pe_progress(*state));
    assert_success(doca_ctx_stop(&context.ctx));
    assert_success(priv_doca_ctx_fini(&context.ctx));
}

static void an_event_between_the_last_progress_and_the_request_is_not_lost(void **state)
{
    struct source source;

    source_open(&source, *state);
    assert_int_equal(0, doca_pe_progress(*state));

    assert_int_equal(0, eventfd_write(source.poller.fd, 1));
    assert_success(doca_pe_request_notification(*state));

    assert_true(is_readable(*state, 0));
    assert_success(doca_pe_clear_notification(*state, handle_of(*state)));
    assert_int_equal(1, doca_pe_progress(*state));
    assert_int_equal(1, source.runs);
    source_close(&source);
}

static void a_source_that_must_be_polled_makes_the_handle_readable_at_once(void **state)
{
    struct source quiet, busy;

    source_open(&quiet, *state);
    source_open(&busy, *state);
    busy.busy = true;

    assert_success(doca_pe_request_notification(*state));

    assert_true(is_readable(*state, 0));
    source_close(&quiet);
    source_close(&busy);
}

static void a_removed_source_does_not_make_the_handle_readable(void **state)
{
    struct source source;

    source_open(&source, *state);
    assert_success(doca_pe_request_notification(*state));
    priv_doca_pe_remove_poller(*state, &source.poller);

    assert_int_equal(0, eventfd_write(source.poller.fd, 1));

    assert_false(is_readable(*state, 0));
    assert_int_equal(0, doca_pe_progress(*state));
    assert_int_equal(0, source.polls);
    close(source.poller.fd);
}

/* Returns whether the handle is readable; clears it and progresses until no work is left. */
static bool was_notified(struct doca_pe *pe)
{
    bool readable = is_readable(pe, 0);

    assert_success(doca_pe_clear_notification(pe, handle_of(pe)));
    while (doca_pe_progress(pe) != 0)
        continue;
    return readable;
}

static void a_task_submitted_by_an_event_handler_makes_the_handle_readable(void **state)
{
    struct test_context context;
    struct test_task task;

    test_context_init(&context, *state);
    test_context_run(&context);
    test_task_init(&task, &context);
    task.complete_in_submit = true;

    for (unsigned i = 0; i < 3; ++i) {
        assert_success(doca_pe_request_notification(*state));
        assert_false(is_readable(*state, 0));
        test_task_submit(&task);
        assert_true(was_notified(*state));
        assert_int_equal(i + 1, context.entries);
    }
    test_task_submit(&task); /* no notification is requested */
    assert_false(was_notified(*state));
    assert_success(doca_ctx_stop(&context.ctx));
    assert_success(priv_doca_ctx_fini(&context.ctx));
}

static void a_transition_caused_by_an_event_handler_makes_the_handle_readable(void **state)
{
    struct test_context context;

    test_context_init(&context, *state);
    context.start_answer = DOCA_ERROR_IN_PROGRESS;
    assert_success(doca_pe_request_notification(*state));

    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(&context.ctx));
    priv_doca_ctx_post_state(&context.ctx, DOCA_CTX_STATE_RUNNING);

    assert_true(was_notified(*state));
    assert_int_equal(DOCA_CTX_STATE_RUNNING, state_of(&context));
    assert_success(doca_ctx_stop(&context.ctx));
    assert_success(priv_doca_ctx_fini(&context.ctx));
}

static void a_source_added_by_an_event_handler_makes_the_handle_readable(void **state)
{
    struct source source;

    assert_success(doca_pe_request_notification(*state));
    source_open(&source, *state);

    assert_true(was_notified(*state));
    source_close(&source);
}

static void *wake(void *pe)
{
    priv_doca_pe_wake(pe);
    return NULL;
}

static void another_thread_can_wake_a_waiting_thread(void **state)
{
    pthread_t thread;

    assert_success(doca_pe_request_notification(*state));
    assert_int_equal(0, pthread_create(&thread, NULL, wake, *state));

    assert_true(is_readable(*state, WAIT_MS));
    assert_int_equal(0, pthread_join(thread, NULL));
}

static void *deliver(void *fd)
{
    for (unsigned i = 0; i < DELIVERIES; ++i) {
        while (eventfd_write(*(int *)fd, 1) != 0)
            give_way();
        if (i % 64 == 0)
            give_way(); /* gives the consumer the opportunity to wait */
    }
    return NULL;
}

static void a_consumer_that_waits_on_the_handle_receives_all_events(void **state)
{
    struct source source;
    pthread_t thread;

    source_open(&source, *state);
    assert_int_equal(0, pthread_create(&thread, NULL, deliver, &source.poller.fd));

    while (source.delivered < DELIVERIES) {
        assert_success(doca_pe_request_notification(*state));
        assert_true(is_readable(*state, WAIT_MS));
        assert_success(doca_pe_clear_notification(*state, handle_of(*state)));
        while (doca_pe_progress(*state) != 0)
            continue;
    }

    assert_int_equal(0, pthread_join(thread, NULL));
    assert_int_equal(DELIVERIES, source.delivered);
    source_close(&source);
}

static void an_invalid_argument_is_an_invalid_value(void **state)
{
    doca_notification_handle_t handle = handle_of(*state);

    assert_status(DOCA_ERROR_INVALID_VALUE, doca_pe_get_notification_handle(NULL, &handle));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_pe_get_notification_handle(*state, NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_pe_request_notification(NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_pe_clear_notification(NULL, handle));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_pe_clear_notification(*state, handle + 1));
    assert_status(DOCA_ERROR_INVALID_VALUE,
            doca_pe_clear_notification(*state, doca_event_invalid_handle));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, engine_set_up, engine_tear_down)
        TEST(an_idle_engine_does_not_become_readable),
        TEST(the_handle_does_not_change),
        TEST(an_event_before_the_request_makes_the_handle_readable_at_once),
        TEST(an_event_between_the_last_progress_and_the_request_is_not_lost),
        TEST(a_source_that_must_be_polled_makes_the_handle_readable_at_once),
        TEST(a_removed_source_does_not_make_the_handle_readable),
        TEST(a_task_submitted_by_an_event_handler_makes_the_handle_readable),
        TEST(a_transition_caused_by_an_event_handler_makes_the_handle_readable),
        TEST(a_source_added_by_an_event_handler_makes_the_handle_readable),
        TEST(another_thread_can_wake_a_waiting_thread),
        TEST(a_consumer_that_waits_on_the_handle_receives_all_events),
        TEST(an_invalid_argument_is_an_invalid_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
