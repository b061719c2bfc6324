/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of a worker: environment, CPU set, group, tasks in flight. */
#include <sched.h>
#include <string.h>

#include <testing/contexts.h>
#include <testing/daemon.h>
#include <testing/logged.h>

static struct test_service service;
static struct test_worker worker;
static uint64_t puppet;

static int set_up(void **state)
{
    (void)state;
    service_open(&service);
    puppet = plugin_id(&service, "worker_puppet");
    worker_new(&worker, service.pe, &service, "worker_puppet");
    log_keep();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    worker_close(&worker);
    service_close(&service);
    return 0;
}

/* Fails unless the worker has the variable `name` with this value. */
static void assert_variable(const char *name, const char *value)
{
    struct test_command command;

    command_run(
            &command, &worker, puppet, (struct puppet_command){ .act = PUPPET_ENVIRONMENT }, name);
    assert_int_equal(strlen(value), text_length(&command));
    assert_memory_equal(value, answer_of(&command)->bytes, strlen(value));
    command_release(&command);
}

static void a_worker_has_the_environment_that_was_set(void **state)
{
    char changed[] = "CHANGED=before";
    char *const environment[] = { "ONE=1", "EMPTY=", "EQUALS=a=b", "LETTERS=\xc3\xa4\xe2\x82\xac",
        changed, "IGNORED=beyond the count" };
    struct test_command command;

    (void)state;
    assert_success(doca_urom_worker_set_env(worker.worker, environment, 5));
    strcpy(changed, "CHANGED=after"); /* the setter has copied it */
    worker_run(&worker);

    assert_variable("ONE", "1");
    assert_variable("EMPTY", "");
    assert_variable("EQUALS", "a=b");
    assert_variable("CHANGED", "before");
    command_new(&command, &worker, puppet);
    command_write(&command, (struct puppet_command){ .act = PUPPET_ENVIRONMENT }, "IGNORED");
    command_submit(&command);
    command_await(&command, service.pe, 1, DOCA_ERROR_NOT_FOUND);
    command_release(&command);
}

static void the_last_environment_counts(void **state)
{
    static char *const old[] = { "NAME=old", "OLD=1" }, *const new[] = { "NAME=new" };
    struct test_command command;

    (void)state;
    assert_success(doca_urom_worker_set_env(worker.worker, old, 2));
    assert_success(doca_urom_worker_set_env(worker.worker, new, 1));
    worker_run(&worker);

    assert_variable("NAME", "new");
    command_new(&command, &worker, puppet);
    command_write(&command, (struct puppet_command){ .act = PUPPET_ENVIRONMENT }, "OLD");
    command_submit(&command);
    command_await(&command, service.pe, 1, DOCA_ERROR_NOT_FOUND);
    command_release(&command);
}

static void a_large_environment_reaches_the_worker(void **state)
{
    static char strings[500][200];
    char *environment[500];

    (void)state;
    for (int i = 0; i < 500; ++i) {
        memset(strings[i], 'v', sizeof(strings[i]) - 1);
        memcpy(strings[i], "VARIABLE_000=", 13);
        strings[i][9] = (char)('0' + i / 100);
        strings[i][10] = (char)('0' + i / 10 % 10);
        strings[i][11] = (char)('0' + i % 10);
        environment[i] = strings[i];
    }
    assert_success(doca_urom_worker_set_env(worker.worker, environment, 500));
    worker_run(&worker);

    assert_variable("VARIABLE_000", strings[0] + 13);
    assert_variable("VARIABLE_499", strings[499] + 13);
}

static void an_environment_that_is_none_is_an_invalid_value(void **state)
{
    char *const no_equals[] = { "NAME=value", "NAME" };
    char *const no_name[] = { "=value" };
    char *const null[] = { "NAME=value", NULL };
    char *const no_text[] = { "NAME=\xff\xfe" };

    (void)state;
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_set_env(worker.worker, NULL, 1));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_set_env(worker.worker, null, 0));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_set_env(worker.worker, null, 2));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_set_env(worker.worker, no_name, 1));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_set_env(worker.worker, no_text, 1));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_set_env(worker.worker, no_equals, 2));
    worker_run(&worker); /* rejected values are not stored */
}

static int first_cpu(void)
{
    cpu_set_t set;
    int cpu = 0;

    assert_int_equal(0, sched_getaffinity(0, sizeof(set), &set));
    while (!CPU_ISSET(cpu, &set))
        ++cpu;
    return cpu;
}

static void a_worker_runs_on_its_cpu_set(void **state)
{
    struct test_command command;
    doca_cpu_set_t cpus;

    (void)state;
    DOCA_CPU_ZERO(&cpus);
    DOCA_CPU_SET(first_cpu(), &cpus);
    assert_success(doca_urom_worker_set_cpuset(worker.worker, cpus));
    DOCA_CPU_ZERO(&cpus); /* the setter has copied it */
    worker_run(&worker);

    command_run(&command, &worker, puppet, (struct puppet_command){ .act = PUPPET_CPUS }, NULL);

    assert_int_equal(1, text_length(&command));
    assert_int_equal(first_cpu(), answer_of(&command)->bytes[0]);
    command_release(&command);
}

static void a_cpu_set_beyond_the_services_is_an_invalid_value(void **state)
{
    doca_cpu_set_t cpus;

    (void)state;
    DOCA_CPU_ZERO(&cpus);
    DOCA_CPU_SET(0, &cpus);
    DOCA_CPU_SET(DAEMON_CORES, &cpus);
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_set_cpuset(worker.worker, cpus));
    DOCA_CPU_ZERO(&cpus);
    DOCA_CPU_SET(1023, &cpus);
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_set_cpuset(worker.worker, cpus));
}

static void a_cpu_set_that_was_set_before_the_service_is_checked_by_the_start(void **state)
{
    struct doca_urom_worker *bare;
    struct doca_ctx *ctx;
    doca_cpu_set_t cpus;

    (void)state;
    DOCA_CPU_ZERO(&cpus);
    DOCA_CPU_SET(DAEMON_CORES, &cpus);
    assert_success(doca_urom_worker_create(&bare));
    ctx = doca_urom_worker_as_ctx(bare);
    assert_success(doca_pe_connect_ctx(service.pe, ctx));
    assert_success(doca_urom_worker_set_cpuset(bare, cpus));
    assert_success(doca_urom_worker_set_service(bare, service.service));
    assert_success(doca_urom_worker_set_plugins(bare, puppet));

    assert_status(DOCA_ERROR_INVALID_VALUE, doca_ctx_start(ctx));

    assert_success(doca_urom_worker_destroy(bare));
}

static void an_empty_cpu_set_is_an_invalid_value(void **state)
{
    doca_cpu_set_t cpus;

    (void)state;
    DOCA_CPU_ZERO(&cpus);
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_set_cpuset(worker.worker, cpus));
}

static void a_worker_has_the_group_that_was_set_or_none(void **state)
{
    uint32_t group = 99;

    (void)state;
    assert_status(DOCA_ERROR_NOT_FOUND, doca_urom_worker_get_gid(worker.worker, &group));
    assert_success(doca_urom_worker_set_gid(worker.worker, 0));
    assert_success(doca_urom_worker_get_gid(worker.worker, &group));
    assert_int_equal(0, group);
    assert_success(doca_urom_worker_set_gid(worker.worker, UINT32_MAX));
    worker_run(&worker);
    assert_success(doca_urom_worker_get_gid(worker.worker, &group));
    assert_int_equal(UINT32_MAX, group);
}

static void the_group_of_a_shared_worker_is_that_of_its_process(void **state)
{
    struct test_worker second;
    uint32_t group;

    (void)state;
    assert_success(doca_urom_worker_set_id(worker.worker, 4711));
    assert_success(doca_urom_worker_set_gid(worker.worker, 3));
    worker_run(&worker);
    worker_new(&second, service.pe, &service, "worker_puppet");
    assert_success(doca_urom_worker_set_id(second.worker, 4711));
    worker_run(&second);

    assert_success(doca_urom_worker_get_gid(second.worker, &group));

    assert_int_equal(3, group);
    worker_close(&second);
}

static void the_number_of_tasks_in_flight_is_a_power_of_two(void **state)
{
    static const uint32_t wrong[] = { 0, 3, 12, 65535, 1u << 17, UINT32_MAX };

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); ++i)
        assert_status(DOCA_ERROR_INVALID_VALUE,
                doca_urom_worker_set_max_inflight_tasks(worker.worker, wrong[i]));
    for (uint32_t right = 1; right <= 1u << 16; right <<= 1)
        assert_success(doca_urom_worker_set_max_inflight_tasks(worker.worker, right));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_worker_has_the_environment_that_was_set),
        TEST(the_last_environment_counts),
        TEST(a_large_environment_reaches_the_worker),
        TEST(an_environment_that_is_none_is_an_invalid_value),
        TEST(a_worker_runs_on_its_cpu_set),
        TEST(a_cpu_set_beyond_the_services_is_an_invalid_value),
        TEST(a_cpu_set_that_was_set_before_the_service_is_checked_by_the_start),
        TEST(an_empty_cpu_set_is_an_invalid_value),
        TEST(a_worker_has_the_group_that_was_set_or_none),
        TEST(the_group_of_a_shared_worker_is_that_of_its_process),
        TEST(the_number_of_tasks_in_flight_is_a_power_of_two),
    };

    return cmocka_run_group_tests(tests, daemon_set_up, daemon_tear_down);
}
