/* SPDX-License-Identifier: Apache-2.0 */
/* Selection of the backends that receive a message. */
#include "cmocka_all.h"

#include <doca_log.h>

#include <common/sdk_log.h>

DOCA_LOG_REGISTER(LOG_TEST)
SDK_LOG_REGISTER(LOG_TEST::SDK)

/* A backend that counts its lines and stores the last. At most one is active. */
struct recorder {
    struct doca_log_backend *backend;
    char buffer[512];
    int lines;
};

static struct recorder recorder;
static struct doca_log_backend *retired[64];
static int retired_count;

static void record(char *line)
{
    if (line == recorder.buffer)
        recorder.lines++;
}

static int start_recording(void **state)
{
    (void)state;
    recorder = (struct recorder){ 0 };
    return doca_log_backend_create_with_buf(
            recorder.buffer, sizeof(recorder.buffer), record, &recorder.backend);
}

static int start_recording_sdk(void **state)
{
    (void)state;
    recorder = (struct recorder){ 0 };
    return doca_log_backend_create_with_buf_sdk(
            recorder.buffer, sizeof(recorder.buffer), record, &recorder.backend);
}

/* Backends cannot be destroyed, so this disables it permanently. */
static void retire(struct doca_log_backend *backend)
{
    doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_DISABLE);
    doca_log_backend_set_level_lower_limit_strict(backend);
    doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_DISABLE);
    retired[retired_count++] = backend;
}

static int stop_recording(void **state)
{
    int i;

    (void)state;
    retire(recorder.backend);
    doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_INFO);
    doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_CRIT);
    doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_WARNING);
    for (i = 0; i < retired_count; ++i)
        doca_log_backend_set_sdk_level(retired[i], DOCA_LOG_LEVEL_DISABLE);
    return 0;
}

static void messages_outside_the_limits_are_not_written(void **state)
{
    (void)state;
    doca_log_backend_set_level_lower_limit(recorder.backend, DOCA_LOG_LEVEL_INFO);
    doca_log_backend_set_level_upper_limit(recorder.backend, DOCA_LOG_LEVEL_ERROR);

    DOCA_LOG_CRIT("too severe");
    DOCA_LOG_DBG("not severe enough");
    assert_int_equal(0, recorder.lines);

    DOCA_LOG_ERR("at the upper limit");
    DOCA_LOG_INFO("at the lower limit");
    assert_int_equal(2, recorder.lines);
}

static void a_disabled_backend_writes_nothing(void **state)
{
    (void)state;
    doca_log_backend_set_level_lower_limit(recorder.backend, DOCA_LOG_LEVEL_DISABLE);

    DOCA_LOG_CRIT("unheard");

    assert_int_equal(0, recorder.lines);
}

static void a_global_limit_applies_to_existing_backends(void **state)
{
    (void)state;
    doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_TRACE);
    doca_log(DOCA_LOG_LEVEL_TRACE, log_source, __FILE__, __LINE__, __func__, "fine");
    assert_int_equal(1, recorder.lines);

    doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_DEBUG);
    DOCA_LOG_INFO("above the upper limit");
    assert_int_equal(1, recorder.lines);

    assert_int_equal(DOCA_LOG_LEVEL_TRACE, doca_log_level_get_global_lower_limit());
    assert_int_equal(DOCA_LOG_LEVEL_DEBUG, doca_log_level_get_global_upper_limit());
}

static void a_global_limit_is_the_initial_limit_of_new_backends(void **state)
{
    (void)state;
    retire(recorder.backend);
    doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DEBUG);
    start_recording(state);

    DOCA_LOG_DBG("fine");

    assert_int_equal(1, recorder.lines);
}

static void a_global_limit_does_not_change_a_strict_limit(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_log_backend_set_level_lower_limit_strict(recorder.backend));
    assert_int_equal(DOCA_SUCCESS, doca_log_backend_set_level_upper_limit_strict(recorder.backend));

    doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_TRACE);
    DOCA_LOG_DBG("below the strict limit");
    assert_int_equal(0, recorder.lines);

    doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_DEBUG);
    DOCA_LOG_CRIT("within the strict limits");
    assert_int_equal(1, recorder.lines);
}

static void invalid_levels_are_rejected(void **state)
{
    static const uint32_t wrong[] = { 0, 9, 15, 25, 71, 80, UINT32_MAX };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); ++i) {
        assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_log_level_set_global_lower_limit(wrong[i]));
        assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_log_level_set_global_upper_limit(wrong[i]));
        assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_log_level_set_global_sdk_limit(wrong[i]));
        assert_int_equal(DOCA_ERROR_INVALID_VALUE,
                doca_log_backend_set_level_lower_limit(recorder.backend, wrong[i]));
        assert_int_equal(DOCA_ERROR_INVALID_VALUE,
                doca_log_backend_set_level_upper_limit(recorder.backend, wrong[i]));
    }
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, DOCA_LOG(15, "no such level"));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, DOCA_LOG(DOCA_LOG_LEVEL_DISABLE, "no level"));
    assert_int_equal(0, recorder.lines);
}

static void sdk_backends_write_no_application_messages(void **state)
{
    (void)state;
    DOCA_LOG_CRIT("the application's");
    assert_int_equal(0, recorder.lines);

    SDK_LOG_WARN("the software DOCA's");
    assert_int_equal(1, recorder.lines);
    assert_non_null(strstr(recorder.buffer, "[LOG_TEST::SDK]"));
}

static void application_backends_write_no_sdk_messages(void **state)
{
    (void)state;
    SDK_LOG_CRIT("the software DOCA's");

    assert_int_equal(0, recorder.lines);
}

static void the_sdk_level_applies_to_one_backend_or_to_all(void **state)
{
    (void)state;
    assert_int_equal(DOCA_LOG_LEVEL_WARNING, doca_log_level_get_global_sdk_limit());
    SDK_LOG_INFO("off");
    assert_int_equal(0, recorder.lines);

    doca_log_backend_set_sdk_level(recorder.backend, DOCA_LOG_LEVEL_INFO);
    SDK_LOG_INFO("on");
    assert_int_equal(1, recorder.lines);

    doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_ERROR);
    SDK_LOG_WARN("off");
    assert_int_equal(1, recorder.lines);
    assert_int_equal(DOCA_LOG_LEVEL_ERROR, doca_log_level_get_global_sdk_limit());
}

static void limits_of_the_other_kind_are_rejected(void **state)
{
    struct doca_log_backend *application;

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_log_backend_set_level_lower_limit(recorder.backend, DOCA_LOG_LEVEL_INFO));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_log_backend_set_level_upper_limit(recorder.backend, DOCA_LOG_LEVEL_INFO));

    assert_int_equal(DOCA_SUCCESS, doca_log_backend_create_with_fd(2, &application));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_log_backend_set_sdk_level(application, DOCA_LOG_LEVEL_INFO));
    retire(application);
}

#define RECORDED(test) cmocka_unit_test_setup_teardown(test, start_recording, stop_recording)
#define RECORDED_SDK(test) \
    cmocka_unit_test_setup_teardown(test, start_recording_sdk, stop_recording)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RECORDED(messages_outside_the_limits_are_not_written),
        RECORDED(a_disabled_backend_writes_nothing),
        RECORDED(a_global_limit_applies_to_existing_backends),
        RECORDED(a_global_limit_is_the_initial_limit_of_new_backends),
        RECORDED(a_global_limit_does_not_change_a_strict_limit),
        RECORDED(invalid_levels_are_rejected),
        RECORDED_SDK(sdk_backends_write_no_application_messages),
        RECORDED(application_backends_write_no_sdk_messages),
        RECORDED_SDK(the_sdk_level_applies_to_one_backend_or_to_all),
        RECORDED_SDK(limits_of_the_other_kind_are_rejected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
