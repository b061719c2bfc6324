/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the private interface of a progress engine: pollers, events and attachments. */
#include <doca_pe.h>

#include "test_context.h"

#define BUSY_CALLS 1000

/* Finds `findings` items in each poll and posts `event` for each of them. */
struct test_poller {
    struct pe_poller base;
    struct doca_pe *pe;
    unsigned findings;
    struct pe_event *event;
    struct pe_poller *removes; /* in its next poll */
    unsigned polls;
};

struct test_event {
    struct pe_event base;
    unsigned runs;
};

static unsigned poll(struct pe_poller *base)
{
    struct test_poller *poller = CONTAINER_OF(base, struct test_poller, base);

    ++poller->polls;
    if (poller->event != NULL)
        priv_doca_pe_post(poller->pe, poller->event);
    if (poller->removes != NULL)
        priv_doca_pe_remove_poller(poller->pe, poller->removes);
    return poller->findings;
}

static doca_error_t arm(struct pe_poller *base)
{
    (void)base;
    return DOCA_SUCCESS;
}

static void add(struct test_poller *poller, struct doca_pe *pe)
{
    *poller = (struct test_poller){ .base = { .poll = poll, .arm = arm, .fd = -1 }, .pe = pe };
    assert_success(priv_doca_pe_add_poller(pe, &poller->base));
}

static void run_event(struct pe_event *base)
{
    ++CONTAINER_OF(base, struct test_event, base)->runs;
}

static void internal_traffic_returns_0(void **state)
{
    struct test_poller poller;

    add(&poller, *state);
    poller.findings = 3;

    assert_int_equal(0, doca_pe_progress(*state));

    assert_int_equal(1, poller.polls);
    priv_doca_pe_remove_poller(*state, &poller.base);
}

static void an_event_found_by_a_poll_is_handled_in_the_same_call(void **state)
{
    struct test_event event = { .base = { .run = run_event } };
    struct test_poller poller;

    add(&poller, *state);
    poller.findings = 1;
    poller.event = &event.base;

    assert_int_equal(1, doca_pe_progress(*state));
    assert_int_equal(1, event.runs);

    priv_doca_pe_remove_poller(*state, &poller.base);
    assert_int_equal(0, doca_pe_progress(*state));
}

static void every_poller_is_polled(void **state)
{
    struct test_poller pollers[3];

    for (unsigned i = 0; i < 3; ++i)
        add(&pollers[i], *state);

    assert_int_equal(0, doca_pe_progress(*state));

    for (unsigned i = 0; i < 3; ++i) {
        assert_int_equal(1, pollers[i].polls);
        priv_doca_pe_remove_poller(*state, &pollers[i].base);
    }
}

static void a_poll_may_remove_any_poller(void **state)
{
    for (unsigned remover = 0; remover < 3; ++remover) {
        for (unsigned removed = 0; removed < 3; ++removed) {
            struct test_poller pollers[3];

            for (unsigned i = 0; i < 3; ++i)
                add(&pollers[i], *state);
            pollers[remover].removes = &pollers[removed].base;

            assert_int_equal(0, doca_pe_progress(*state));
            assert_int_equal(0, doca_pe_progress(*state));

            for (unsigned i = 0; i < 3; ++i) {
                if (i == removed)
                    assert_in_range(pollers[i].polls, 0, 1);
                else
                    assert_int_equal(2, pollers[i].polls);
                priv_doca_pe_remove_poller(*state, &pollers[i].base);
            }
        }
    }
}

static void submit_again(struct test_task *task)
{
    task->context->entries = 0;
    test_task_submit(task);
}

static void a_task_that_is_always_ready_does_not_starve_other_pollers(void **state)
{
    struct test_context context;
    struct test_poller poller;
    struct test_task task;

    add(&poller, *state);
    test_context_init(&context, *state);
    test_context_run(&context);
    test_task_init(&task, &context);
    task.complete_in_submit = true;
    task.on_completion = submit_again;
    test_task_submit(&task);

    for (unsigned i = 0; i < BUSY_CALLS; ++i)
        assert_int_equal(1, doca_pe_progress(*state));

    assert_in_range(poller.polls, 2, BUSY_CALLS);
    task.on_completion = NULL;
    assert_int_equal(1, doca_pe_progress(*state));
    assert_success(doca_ctx_stop(&context.ctx));
    assert_success(priv_doca_ctx_fini(&context.ctx));
    priv_doca_pe_remove_poller(*state, &poller.base);
}

static void an_event_is_queued_once(void **state)
{
    struct test_event event = { .base = { .run = run_event } };

    priv_doca_pe_post(*state, &event.base);
    priv_doca_pe_post(*state, &event.base);

    assert_int_equal(1, doca_pe_progress(*state));
    assert_int_equal(0, doca_pe_progress(*state));
    assert_int_equal(1, event.runs);
}

static void a_withdrawn_event_is_not_handled_wherever_it_was_queued(void **state)
{
    for (unsigned withdrawn = 0; withdrawn < 3; ++withdrawn) {
        struct test_event events[4];

        for (unsigned i = 0; i < 4; ++i)
            events[i] = (struct test_event){ .base = { .run = run_event } };
        for (unsigned i = 0; i < 3; ++i)
            priv_doca_pe_post(*state, &events[i].base);

        priv_doca_pe_withdraw(*state, &events[withdrawn].base);
        priv_doca_pe_withdraw(*state, &events[withdrawn].base);
        priv_doca_pe_post(*state, &events[3].base);

        for (unsigned i = 0; i < 3; ++i)
            assert_int_equal(1, doca_pe_progress(*state));
        assert_int_equal(0, doca_pe_progress(*state));
        for (unsigned i = 0; i < 4; ++i)
            assert_int_equal(i != withdrawn, events[i].runs);
    }
}

static unsigned destroyed;

static void count_destroyed(struct pe_attachment *attachment)
{
    (void)attachment;
    ++destroyed;
}

static void attachments_are_found_by_key_and_destroyed_with_the_engine(void **state)
{
    static const int keys[2];
    struct pe_attachment attachments[2];
    struct doca_pe *pe;

    (void)state;
    assert_success(doca_pe_create(&pe));
    for (unsigned i = 0; i < 2; ++i) {
        attachments[i] = (struct pe_attachment){ .key = &keys[i], .destroy = count_destroyed };
        assert_null(priv_doca_pe_attachment(pe, &keys[i]));
        priv_doca_pe_attach(pe, &attachments[i]);
    }
    for (unsigned i = 0; i < 2; ++i)
        assert_ptr_equal(&attachments[i], priv_doca_pe_attachment(pe, &keys[i]));

    destroyed = 0;
    assert_success(doca_pe_destroy(pe));

    assert_int_equal(2, destroyed);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, engine_set_up, engine_tear_down)
        TEST(internal_traffic_returns_0),
        TEST(an_event_found_by_a_poll_is_handled_in_the_same_call),
        TEST(every_poller_is_polled),
        TEST(a_poll_may_remove_any_poller),
        TEST(a_task_that_is_always_ready_does_not_starve_other_pollers),
        TEST(an_event_is_queued_once),
        TEST(a_withdrawn_event_is_not_handled_wherever_it_was_queued),
        TEST(attachments_are_found_by_key_and_destroyed_with_the_engine),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
