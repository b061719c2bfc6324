/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several threads of a process, each with its own progress engine, concurrently use shared state:
 * devices, the log, the service, slots of counters, and the list of channels for forks.
 */
#include <pthread.h>

#include <testing/contexts.h>
#include <testing/daemon.h>

#define THREADS 3
#define WORKERS 3 /* contexts that each thread starts in sequence */
#define COMMANDS 60
#define IN_FLIGHT 4

/* NULL: each thread has its own service context. */
static struct test_service *shared;

static void use_worker(struct doca_pe *pe, const struct test_service *service)
{
    struct test_command commands[IN_FLIGHT];
    struct test_worker worker;

    worker_open(&worker, pe, service, "worker_puppet");
    for (unsigned i = 0; i < IN_FLIGHT; ++i)
        command_new(&commands[i], &worker, plugin_id(service, "worker_puppet"));
    for (unsigned round = 1; round <= COMMANDS / IN_FLIGHT; ++round) {
        for (unsigned i = 0; i < IN_FLIGHT; ++i) {
            command_write(&commands[i], (struct puppet_command){ .act = PUPPET_ECHO }, "text");
            command_submit(&commands[i]);
        }
        for (unsigned i = 0; i < IN_FLIGHT; ++i)
            command_await(&commands[i], pe, round, DOCA_SUCCESS);
    }
    for (unsigned i = 0; i < IN_FLIGHT; ++i)
        command_release(&commands[i]);
    worker_close(&worker);
}

/* A failed check ends the process, because this is not cmocka's thread. */
static void *use_workers(void *argument)
{
    for (unsigned i = 0; i < WORKERS; ++i) {
        struct test_service own;
        struct doca_pe *pe;

        if (shared == NULL)
            service_open(&own);
        assert_success(doca_pe_create(&pe));
        use_worker(pe, shared != NULL ? shared : &own);
        assert_success(doca_pe_destroy(pe));
        if (shared == NULL)
            service_close(&own);
    }
    return argument;
}

static void use_workers_in_all_threads(void)
{
    pthread_t threads[THREADS];

    for (unsigned i = 0; i < THREADS; ++i)
        assert_int_equal(0, pthread_create(&threads[i], NULL, use_workers, NULL));
    for (unsigned i = 0; i < THREADS; ++i)
        assert_int_equal(0, pthread_join(threads[i], NULL));
}

static void engines_of_several_threads_have_services_of_their_own(void **state)
{
    (void)state;
    shared = NULL;
    use_workers_in_all_threads();
}

static void engines_of_several_threads_share_a_service(void **state)
{
    struct test_service service;

    (void)state;
    service_open(&service);
    shared = &service;
    use_workers_in_all_threads();
    service_close(&service);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(engines_of_several_threads_have_services_of_their_own),
        cmocka_unit_test(engines_of_several_threads_share_a_service),
    };

    return cmocka_run_group_tests(tests, daemon_set_up, daemon_tear_down);
}
