/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the deadlines of a progress engine. */
#include <poll.h>

#include <doca_pe.h>
#include <urom/deadline.h>

#include "test_context.h"

#define SOON_MS 20
#define NEVER_MS 600000
#define WAIT_MS 5000

struct appointment {
    struct deadline deadline;
    unsigned passed;
};

static void count(struct deadline *deadline)
{
    ++CONTAINER_OF(deadline, struct appointment, deadline)->passed;
}

static void a_deadline_expires_once_in_progress(void **state)
{
    struct appointment soon = { .passed = 0 };

    assert_success(deadline_set(&soon.deadline, *state, SOON_MS, count));
    assert_int_equal(0, soon.passed);

    await((doca_pe_progress(*state), soon.passed > 0), WAIT_MS);

    assert_null(soon.deadline.pe);
    doca_pe_progress(*state);
    assert_int_equal(1, soon.passed);
}

static void a_deadline_makes_the_notification_handle_readable(void **state)
{
    struct appointment soon = { .passed = 0 };
    struct pollfd handle = { .events = POLLIN };

    assert_success(doca_pe_get_notification_handle(*state, &handle.fd));
    assert_success(deadline_set(&soon.deadline, *state, SOON_MS, count));
    assert_success(doca_pe_request_notification(*state));

    assert_int_equal(1, poll(&handle, 1, WAIT_MS));
    doca_pe_progress(*state);

    assert_int_equal(1, soon.passed);
}

static void a_cleared_deadline_does_not_expire(void **state)
{
    struct appointment cleared = { .passed = 0 }, later = { .passed = 0 };

    assert_success(deadline_set(&cleared.deadline, *state, 1, count));
    assert_success(deadline_set(&later.deadline, *state, SOON_MS, count));
    deadline_clear(&cleared.deadline);
    deadline_clear(&cleared.deadline);

    await((doca_pe_progress(*state), later.passed > 0), WAIT_MS);

    assert_int_equal(0, cleared.passed);
}

static void setting_a_deadline_again_replaces_it(void **state)
{
    struct appointment soon = { .passed = 0 };

    assert_success(deadline_set(&soon.deadline, *state, NEVER_MS, count));
    assert_success(deadline_set(&soon.deadline, *state, 1, count));

    await((doca_pe_progress(*state), soon.passed > 0), WAIT_MS);

    assert_int_equal(1, soon.passed);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, engine_set_up, engine_tear_down)
        TEST(a_deadline_expires_once_in_progress),
        TEST(a_deadline_makes_the_notification_handle_readable),
        TEST(a_cleared_deadline_does_not_expire),
        TEST(setting_a_deadline_again_replaces_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
