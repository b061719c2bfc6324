/* SPDX-License-Identifier: Apache-2.0 */
/* All-gather requests of a domain, and the status that a program sets. */
#include "cmocka_all.h"

#include <doca_urom.h>
#include <jurom_oob.h>

#define PARTICIPANTS 3

struct fixture {
    struct jurom_oob record;
    struct doca_urom_domain_oob_coll oob;
    uint8_t block[4];
    uint8_t blocks[PARTICIPANTS * 4];
    void *request;
};

static struct fixture fixture;

static int reset(void **state)
{
    (void)state;
    fixture = (struct fixture){
        .oob = {
            .allgather = jurom_oob_allgather,
            .req_test = jurom_oob_req_test,
            .req_free = jurom_oob_req_free,
            .coll_info = &fixture.record,
            .n_oob_indexes = PARTICIPANTS,
        },
    };
    return 0;
}

static doca_error_t begin(void)
{
    return fixture.oob.allgather(fixture.block, fixture.blocks, sizeof(fixture.block),
            fixture.oob.coll_info, &fixture.request);
}

static void a_request_is_recorded_and_in_progress(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, begin());

    assert_int_equal(1, fixture.record.request);
    assert_ptr_equal(fixture.block, fixture.record.block);
    assert_ptr_equal(fixture.blocks, fixture.record.blocks);
    assert_int_equal(sizeof(fixture.block), fixture.record.length);
    assert_int_equal(DOCA_ERROR_IN_PROGRESS, fixture.oob.req_test(fixture.request));
}

static void a_request_returns_the_status_that_was_set(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, begin());
    fixture.record.status = DOCA_ERROR_CONNECTION_RESET;
    assert_int_equal(DOCA_ERROR_CONNECTION_RESET, fixture.oob.req_test(fixture.request));
    fixture.record.status = DOCA_SUCCESS;
    assert_int_equal(DOCA_SUCCESS, fixture.oob.req_test(fixture.request));
}

static void a_freed_request_clears_its_pointers(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, begin());
    assert_int_equal(DOCA_SUCCESS, fixture.oob.req_free(fixture.request));

    assert_int_equal(0, fixture.record.request);
    assert_null(fixture.record.block);
    assert_null(fixture.record.blocks);
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, fixture.oob.req_test(fixture.request));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, fixture.oob.req_free(fixture.request));
}

static void each_request_has_its_own_number_and_status(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, begin());
    fixture.record.status = DOCA_SUCCESS;
    assert_int_equal(DOCA_SUCCESS, fixture.oob.req_free(fixture.request));
    assert_int_equal(DOCA_SUCCESS, begin());

    assert_int_equal(2, fixture.record.request);
    assert_int_equal(DOCA_ERROR_IN_PROGRESS, fixture.oob.req_test(fixture.request));
}

static void a_second_request_is_rejected_while_one_is_outstanding(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, begin());
    fixture.record.status = DOCA_SUCCESS;

    assert_int_equal(DOCA_ERROR_IN_USE, begin());
    assert_int_equal(1, fixture.record.request);
    assert_int_equal(DOCA_SUCCESS, fixture.oob.req_test(fixture.request));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_request_is_recorded_and_in_progress, reset),
        cmocka_unit_test_setup(a_request_returns_the_status_that_was_set, reset),
        cmocka_unit_test_setup(a_freed_request_clears_its_pointers, reset),
        cmocka_unit_test_setup(each_request_has_its_own_number_and_status, reset),
        cmocka_unit_test_setup(a_second_request_is_rejected_while_one_is_outstanding, reset),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
