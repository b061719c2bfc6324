/* SPDX-License-Identifier: Apache-2.0 */
/* The service context: states, settings, and queries of a running service. */
#include <string.h>

#include <testing/contexts.h>
#include <testing/daemon.h>

static struct test_service service;

static int set_up(void **state)
{
    (void)state;
    service_new(&service);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    service_close(&service);
    return 0;
}

static void a_service_runs_as_soon_as_its_start_returns(void **state)
{
    (void)state;
    assert_success(doca_ctx_start(service.ctx));

    assert_int_equal(DOCA_CTX_STATE_RUNNING, state_of(service.ctx));
    assert_int_equal(1, service.transitions.count);
    assert_transition(&service.transitions, 0, DOCA_CTX_STATE_IDLE, DOCA_CTX_STATE_RUNNING);
}

static void a_service_is_idle_as_soon_as_its_stop_returns(void **state)
{
    (void)state;
    assert_success(doca_ctx_start(service.ctx));

    assert_success(doca_ctx_stop(service.ctx));

    assert_int_equal(3, service.transitions.count);
    assert_transition(&service.transitions, 1, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING);
    assert_transition(&service.transitions, 2, DOCA_CTX_STATE_STOPPING, DOCA_CTX_STATE_IDLE);
}

static void a_service_starts_again_after_its_stop(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; ++i) {
        assert_success(doca_ctx_start(service.ctx));
        assert_int_not_equal(0, plugin_id(&service, "worker_graph"));
        assert_success(doca_ctx_stop(service.ctx));
    }
}

static void a_service_starts_only_with_a_device(void **state)
{
    struct doca_urom_service *bare;

    (void)state;
    assert_success(doca_urom_service_create(&bare));
    assert_success(doca_pe_connect_ctx(service.pe, doca_urom_service_as_ctx(bare)));

    assert_status(DOCA_ERROR_INVALID_VALUE, doca_ctx_start(doca_urom_service_as_ctx(bare)));

    assert_int_equal(DOCA_CTX_STATE_IDLE, state_of(doca_urom_service_as_ctx(bare)));
    assert_success(doca_urom_service_destroy(bare));
}

static void a_service_starts_only_with_a_progress_engine(void **state)
{
    struct doca_urom_service *bare;

    (void)state;
    assert_success(doca_urom_service_create(&bare));
    assert_success(doca_urom_service_set_dev(bare, service.dev));

    assert_status(DOCA_ERROR_NOT_CONNECTED, doca_ctx_start(doca_urom_service_as_ctx(bare)));

    assert_success(doca_urom_service_destroy(bare));
}

static void settings_are_changed_only_while_the_service_is_idle(void **state)
{
    (void)state;
    assert_success(doca_ctx_start(service.ctx));

    assert_status(DOCA_ERROR_BAD_STATE, doca_urom_service_set_dev(service.service, service.dev));
    assert_status(
            DOCA_ERROR_BAD_STATE, doca_urom_service_set_max_comm_msg_size(service.service, 4096));
    assert_status(DOCA_ERROR_BAD_STATE, doca_urom_service_set_max_workers(service.service, 16));
    assert_status(DOCA_ERROR_BAD_STATE, doca_pe_connect_ctx(service.pe, service.ctx));

    assert_success(doca_ctx_stop(service.ctx));
    assert_success(doca_urom_service_set_dev(service.service, service.dev));
    assert_success(doca_urom_service_set_max_comm_msg_size(service.service, 4096));
    assert_success(doca_urom_service_set_max_workers(service.service, 16));
}

static void a_service_is_destroyed_only_while_it_is_idle(void **state)
{
    (void)state;
    assert_success(doca_ctx_start(service.ctx));

    assert_status(DOCA_ERROR_NOT_PERMITTED, doca_urom_service_destroy(service.service));

    assert_int_equal(DOCA_CTX_STATE_RUNNING, state_of(service.ctx));
}

static void the_maximum_number_of_workers_is_a_power_of_two(void **state)
{
    static const uint32_t wrong[] = { 0, 3, 6, 7, 1000, UINT32_MAX };

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); ++i)
        assert_status(DOCA_ERROR_INVALID_VALUE,
                doca_urom_service_set_max_workers(service.service, wrong[i]));
    for (uint32_t right = 1; right != 0; right <<= 1)
        assert_success(doca_urom_service_set_max_workers(service.service, right));
}

static void a_message_size_that_no_message_can_have_is_an_invalid_value(void **state)
{
    static const size_t wrong[] = { 0, 1, 255, (64u << 20) + 1, SIZE_MAX, (size_t)1 << 32 };

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); ++i)
        assert_status(DOCA_ERROR_INVALID_VALUE,
                doca_urom_service_set_max_comm_msg_size(service.service, wrong[i]));
}

static void a_missing_argument_is_an_invalid_value(void **state)
{
    const struct doca_urom_service_plugin_info *plugins;
    doca_cpu_set_t cpus;
    size_t count;

    (void)state;
    assert_success(doca_ctx_start(service.ctx));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_service_create(NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_service_destroy(NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_service_set_dev(service.service, NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_service_set_dev(NULL, service.dev));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_service_set_max_workers(NULL, 1));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_service_set_max_comm_msg_size(NULL, 4096));
    assert_status(
            DOCA_ERROR_INVALID_VALUE, doca_urom_service_get_plugins_list(NULL, &plugins, &count));
    assert_status(DOCA_ERROR_INVALID_VALUE,
            doca_urom_service_get_plugins_list(service.service, NULL, &count));
    assert_status(DOCA_ERROR_INVALID_VALUE,
            doca_urom_service_get_plugins_list(service.service, &plugins, NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_service_get_cpuset(NULL, &cpus));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_service_get_cpuset(service.service, NULL));
    assert_null(doca_urom_service_as_ctx(NULL));
}

static void plugins_have_names_versions_and_a_bit_each(void **state)
{
    const struct doca_urom_service_plugin_info *plugins;
    uint64_t bits = 0;
    size_t count;

    (void)state;
    assert_success(doca_ctx_start(service.ctx));
    assert_success(doca_urom_service_get_plugins_list(service.service, &plugins, &count));

    assert_in_range(count, 4, 62);
    for (size_t i = 0; i < count; ++i) {
        assert_int_equal(1, __builtin_popcountll(plugins[i].id));
        assert_int_equal(0, bits & plugins[i].id);
        bits |= plugins[i].id;
        assert_in_range(strlen(plugins[i].plugin_name), 1, DOCA_UROM_PLUGIN_NAME_MAX_LEN - 1);
        if (strcmp(plugins[i].plugin_name, "worker_puppet") == 0)
            assert_int_equal(7, plugins[i].version);
    }
    assert_int_not_equal(0, plugin_id(&service, "worker_puppet"));
    assert_int_not_equal(0, plugin_id(&service, "worker_graph"));
}

static void the_plugin_list_stays_valid_while_the_service_runs(void **state)
{
    const struct doca_urom_service_plugin_info *plugins, *again;
    struct doca_urom_service_plugin_info copy;
    size_t count;

    (void)state;
    assert_success(doca_ctx_start(service.ctx));
    assert_success(doca_urom_service_get_plugins_list(service.service, &plugins, &count));
    copy = plugins[0];

    for (unsigned i = 0; i < 1000; ++i)
        doca_pe_progress(service.pe);

    assert_success(doca_urom_service_get_plugins_list(service.service, &again, &count));
    assert_ptr_equal(plugins, again);
    assert_memory_equal(&copy, plugins, sizeof(copy));
}

static void an_idle_service_has_no_plugins_and_no_cpus_to_tell(void **state)
{
    const struct doca_urom_service_plugin_info *plugins;
    doca_cpu_set_t cpus;
    size_t count;

    (void)state;
    for (unsigned i = 0; i < 2; ++i) {
        assert_status(DOCA_ERROR_BAD_STATE,
                doca_urom_service_get_plugins_list(service.service, &plugins, &count));
        assert_status(DOCA_ERROR_BAD_STATE, doca_urom_service_get_cpuset(service.service, &cpus));
        assert_success(doca_ctx_start(service.ctx));
        assert_success(doca_ctx_stop(service.ctx));
    }
}

static void the_cpu_set_has_a_bit_for_each_core_that_the_service_presents(void **state)
{
    doca_cpu_set_t cpus;

    (void)state;
    assert_success(doca_ctx_start(service.ctx));
    assert_success(doca_urom_service_get_cpuset(service.service, &cpus));

    for (int cpu = 0; cpu < UCS_CPU_SETSIZE; ++cpu)
        assert_int_equal(cpu < DAEMON_CORES, !!doca_cpu_is_set(cpu, &cpus));
}

static void several_services_share_a_progress_engine(void **state)
{
    struct doca_urom_service *other;

    (void)state;
    assert_success(doca_ctx_start(service.ctx));
    assert_success(doca_urom_service_create(&other));
    assert_success(doca_urom_service_set_dev(other, service.dev));
    assert_success(doca_pe_connect_ctx(service.pe, doca_urom_service_as_ctx(other)));
    assert_success(doca_ctx_start(doca_urom_service_as_ctx(other)));

    assert_success(doca_ctx_stop(service.ctx));

    assert_int_equal(DOCA_CTX_STATE_RUNNING, state_of(doca_urom_service_as_ctx(other)));
    for (unsigned i = 0; i < 1000; ++i)
        doca_pe_progress(service.pe);
    assert_success(doca_ctx_stop(doca_urom_service_as_ctx(other)));
    assert_success(doca_urom_service_destroy(other));
}

static void keep_status(struct doca_urom_service_get_workers_by_gid_task *task,
        union doca_data task_data, union doca_data ctx_data)
{
    doca_error_t *status = task_data.ptr;

    (void)ctx_data;
    *status = doca_task_get_status(doca_urom_service_get_workers_by_gid_task_as_task(task));
}

static void a_flush_ends_no_task(void **state)
{
    struct doca_urom_service_get_workers_by_gid_task *task;
    doca_error_t status = DOCA_ERROR_UNKNOWN;
    struct doca_task *base;

    (void)state;
    assert_success(doca_ctx_start(service.ctx));
    assert_success(doca_urom_service_get_workers_by_gid_task_allocate_init(
            service.service, 1, keep_status, &task));
    base = doca_urom_service_get_workers_by_gid_task_as_task(task);
    doca_task_set_user_data(base, (union doca_data){ .ptr = &status });
    assert_success(doca_task_submit(base));
    doca_ctx_flush_tasks(service.ctx);
    progress_to_event(service.pe);

    assert_status(DOCA_SUCCESS, status);
    assert_success(doca_urom_service_get_workers_by_gid_task_release(task));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_service_runs_as_soon_as_its_start_returns),
        TEST(a_service_is_idle_as_soon_as_its_stop_returns),
        TEST(a_service_starts_again_after_its_stop),
        TEST(a_service_starts_only_with_a_device),
        TEST(a_service_starts_only_with_a_progress_engine),
        TEST(settings_are_changed_only_while_the_service_is_idle),
        TEST(a_service_is_destroyed_only_while_it_is_idle),
        TEST(the_maximum_number_of_workers_is_a_power_of_two),
        TEST(a_message_size_that_no_message_can_have_is_an_invalid_value),
        TEST(a_missing_argument_is_an_invalid_value),
        TEST(plugins_have_names_versions_and_a_bit_each),
        TEST(the_plugin_list_stays_valid_while_the_service_runs),
        TEST(an_idle_service_has_no_plugins_and_no_cpus_to_tell),
        TEST(the_cpu_set_has_a_bit_for_each_core_that_the_service_presents),
        TEST(several_services_share_a_progress_engine),
        TEST(a_flush_ends_no_task),
    };

    return cmocka_run_group_tests(tests, daemon_set_up, daemon_tear_down);
}
