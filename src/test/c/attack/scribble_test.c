/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hostile host that writes random data to the rings that it shares with a worker, while commands
 * are in flight. Its own connection ends or continues; another host of the worker is not affected.
 */
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "scribbles.h"

#define MESSAGE_SIZE 4096
#define ROUNDS 300
#define SCRIBBLES 4000

static struct worker_process worker;
static struct host other;
static struct intruder intruder = { .socket = -1 };
static uint64_t session;

/* Without worker_puppet, which can end the worker on a command. */
static void start_worker(void)
{
    static const char *const plugins[] = { WORKER_GRAPH ":1", NULL };

    worker_launch(&worker, plugins);
    worker_configure(&worker, MESSAGE_SIZE, NULL);
    worker_expect(&worker, WIRE_READY);
}

static int set_up(void **state)
{
    (void)state;
    start_worker();
    host_open_as(&other, &worker, MESSAGE_SIZE, 1);
    host_attach(&other, 64);
    session = 1;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    intruder_leave(&intruder);
    host_close(&other);
    worker_clean_up(&worker);
    return 0;
}

static void enter_and_attach(void)
{
    intruder_enter(&intruder, &worker, ++session);
    intruder_put_frame(&intruder,
            &(struct wire_frame){ .type = WIRE_ATTACH, .request_id = 1, .attach.max_tasks = 1024 });
}

/* Both hosts send commands. The other host must always be answered. */
static void attack(void (*scribble)(struct intruder *intruder), bool commands)
{
    for (unsigned i = 0; i < SCRIBBLES && !intruder_was_closed(intruder.socket); ++i) {
        scribble(&intruder);
        if (commands && i % 16 == 0)
            put_command(&intruder, i + 1);
        if (commands && i % 64 == 32)
            put_almost_a_command(&intruder, i + 1);
        if (i % 32 == 0)
            intruder_ring(&intruder);
        if (i % 1024 == 0)
            host_expect_nothing(&other);
    }
    host_expect_nothing(&other);
}

static void attack_again_and_again(void (*scribble)(struct intruder *intruder))
{
    unsigned before = worker_descriptors(&worker);

    for (unsigned round = 0; round < ROUNDS; ++round) {
        enter_and_attach();
        attack(scribble, round % 3 != 2);
        intruder_leave(&intruder);
    }
    await(worker_descriptors(&worker) <= before, ANSWER_MS);
    assert_int_equal(0, kill(worker.pid, 0));
    host_detach(&other);
    worker_stop(&worker);
}

static void random_control_pages_affect_no_other_host(void **state)
{
    (void)state;
    attack_again_and_again(scribble_controls);
}

static void random_data_affects_no_other_host(void **state)
{
    (void)state;
    attack_again_and_again(scribble_data);
}

static void random_lengths_affect_no_other_host(void **state)
{
    (void)state;
    attack_again_and_again(scribble_words);
}

static void random_writes_everywhere_affect_no_other_host(void **state)
{
    (void)state;
    attack_again_and_again(scribble_all);
}

/* Rings doorbells continuously and always sets the sleep flags, without any data. */
static void a_host_that_only_rings_does_not_block_others(void **state)
{
    static const char bells[4096];
    unsigned rings = 0;

    (void)state;
    enter_and_attach();
    while (rings < 2000) {
        (void)!send(intruder.socket, bells, sizeof(bells), MSG_NOSIGNAL | MSG_DONTWAIT);
        atomic_store(&intruder.memory.rings[1].control->consumer_sleeps, 1);
        atomic_store(&intruder.memory.rings[0].control->producer_sleeps, 1);
        if (++rings % 50 == 0)
            host_expect_nothing(&other);
    }
    intruder_leave(&intruder);
    worker_stop(&worker);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(random_control_pages_affect_no_other_host),
        TEST(random_data_affects_no_other_host),
        TEST(random_lengths_affect_no_other_host),
        TEST(random_writes_everywhere_affect_no_other_host),
        TEST(a_host_that_only_rings_does_not_block_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
