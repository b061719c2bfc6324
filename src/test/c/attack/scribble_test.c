/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A host that writes all over the rings that it shares with a real worker, while commands are on
 * their way. Its own connection ends or goes on; another host of the same worker notices nothing.
 */
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <jurom/urom_graph.h>

#include "intruder.h"

#define MESSAGE_SIZE 4096
#define ROUNDS 300
#define SCRIBBLES 4000
#define COMMAND_MAX 9000
#define CONTROL_WORDS 96 /* of 8 bytes, in the controls of both rings */

static struct worker_process worker;
static struct host other;
static struct intruder intruder = { .socket = -1 };
static uint64_t session;

/* Without worker_puppet, which ends the worker when a command says so. */
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
    intruder_put_frame(&intruder, &(struct wire_frame){ .type = WIRE_ATTACH, .request_id = 1,
            .attach.max_tasks = 1024 });
}

/* A command that is answered. */
static void put_command(uint64_t number)
{
    static uint8_t bytes[WIRE_PREFIX_SIZE + sizeof(struct urom_worker_graph_cmd)];
    struct urom_worker_graph_cmd command = { .type = UROM_WORKER_CMD_GRAPH_LOOPBACK };

    wire_put_command(bytes, number, GRAPH, sizeof(command));
    memcpy(bytes + WIRE_PREFIX_SIZE, &command, sizeof(command));
    (void)intruder_put(&intruder, bytes, sizeof(bytes));
}

/* As long as it is, or claims to be, and of any type. */
static void put_almost_a_command(uint64_t number)
{
    static uint8_t bytes[COMMAND_MAX];
    size_t length = WIRE_PREFIX_SIZE + intruder_random(COMMAND_MAX - WIRE_PREFIX_SIZE);
    uint32_t claimed = (uint32_t)(length - WIRE_HEADER_SIZE);

    for (size_t i = 0; i < length; ++i)
        bytes[i] = (uint8_t)intruder_random(256);
    wire_put_command(bytes, number, intruder_random(4), length - WIRE_PREFIX_SIZE);
    switch (intruder_random(4)) {
    case 0:
        claimed = (uint32_t)intruder_random(UINT32_MAX);
        break;
    case 1:
        claimed -= (uint32_t)intruder_random(24);
        break;
    case 2:
        bytes[3] = (uint8_t)intruder_random(40);
        break;
    }
    memcpy(bytes + 4, &claimed, sizeof(claimed));
    (void)intruder_put(&intruder, bytes, length);
}

static void scribble_controls(void)
{
    volatile uint64_t *words = intruder.memory.base;
    uint64_t value = intruder_random(2) == 0 ? intruder_random(INTRUDER_CAPACITY)
            : intruder_random(UINT64_MAX);

    words[intruder_random(CONTROL_WORDS)] = value;
}

static void scribble_data(void)
{
    uint8_t *data = intruder.memory.rings[intruder_random(2)].data;
    size_t near = intruder_random(4) == 0 ? INTRUDER_CAPACITY : 8192;

    data[intruder_random(near)] = (uint8_t)intruder_random(256);
}

/* The length in front of a record that the worker is about to read. */
static void scribble_words(void)
{
    uint8_t *data = intruder.memory.rings[0].data;
    volatile uint32_t *word = (volatile uint32_t *)(void *)(data + intruder_random(1024) * 8);

    *word = intruder_random(3) == 0 ? (uint32_t)intruder_random(UINT32_MAX)
            : 0x80000000u | (uint32_t)intruder_random(70000);
}

static void scribble_all(void)
{
    static void (*const ways[])(void) = { scribble_controls, scribble_data, scribble_words };

    ways[intruder_random(3)]();
}

/* Traffic of both hosts in between; the other one must be answered, whatever happens. */
static void attack(void (*scribble)(void), bool commands)
{
    for (unsigned i = 0; i < SCRIBBLES && !intruder_was_closed(intruder.socket); ++i) {
        scribble();
        if (commands && i % 16 == 0)
            put_command(i + 1);
        if (commands && i % 64 == 32)
            put_almost_a_command(i + 1);
        if (i % 32 == 0)
            intruder_ring(&intruder);
        if (i % 1024 == 0)
            host_expect_nothing(&other);
    }
    host_expect_nothing(&other);
}

static void attack_again_and_again(void (*scribble)(void))
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

static void scribbling_over_the_controls_harms_nobody_else(void **state)
{
    (void)state;
    attack_again_and_again(scribble_controls);
}

static void scribbling_over_the_data_harms_nobody_else(void **state)
{
    (void)state;
    attack_again_and_again(scribble_data);
}

static void scribbling_over_lengths_harms_nobody_else(void **state)
{
    (void)state;
    attack_again_and_again(scribble_words);
}

static void scribbling_everywhere_harms_nobody_else(void **state)
{
    (void)state;
    attack_again_and_again(scribble_all);
}

/* Bells without end, flags that always say that this side sleeps, and nothing to read. */
static void one_who_only_rings_keeps_nobody_from_being_served(void **state)
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
        TEST(scribbling_over_the_controls_harms_nobody_else),
        TEST(scribbling_over_the_data_harms_nobody_else),
        TEST(scribbling_over_lengths_harms_nobody_else),
        TEST(scribbling_everywhere_harms_nobody_else),
        TEST(one_who_only_rings_keeps_nobody_from_being_served),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
