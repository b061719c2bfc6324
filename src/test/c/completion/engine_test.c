/* SPDX-License-Identifier: Apache-2.0 */
/* An engine with one thread: batches, rejections, time-outs, abandoned commands, destruction. */
#include <cmocka_all.h>
#include <string.h>

#include "memory_device.h"

#define COMMANDS 4
#define PLUGIN 7
#define MILLISECOND 1000000u
#define LONG (10000ull * MILLISECOND)

static struct doca_pe pe;
static struct doca_urom_worker worker = { .pe = &pe };
static struct jurom_completion_array *array;
static struct jurom_completion_source *source;
static struct jurom_engine *engine;
static struct jurom_command *commands[COMMANDS];

static int open_all(void **state)
{
    (void)state;
    device_open(&pe, 0);
    assert_int_equal(DOCA_SUCCESS, jurom_completion_array_create(&device_functions, &array));
    assert_int_equal(DOCA_SUCCESS, jurom_completion_context_source(array, 1, &source));
    assert_int_equal(DOCA_SUCCESS,
            jurom_engine_create(&device_engine_functions, array, &pe, pe.handle, &engine));
    assert_int_equal(
            DOCA_SUCCESS, jurom_engine_make_commands(engine, &worker, PLUGIN, COMMANDS, commands));
    jurom_engine_unlock(engine);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    jurom_engine_lock(engine);
    jurom_engine_free_commands(engine, commands, COMMANDS);
    jurom_engine_destroy(engine);
    jurom_completion_source_destroy(source);
    jurom_completion_array_destroy(array);
    device_close(&pe);
    return 0;
}

static void pack(unsigned i, uint64_t number, struct jurom_command *next)
{
    memcpy(commands[i]->payload, &number, sizeof(number));
    commands[i]->plugin = PLUGIN;
    commands[i]->length = sizeof(number);
    commands[i]->next = next;
}

/* Packs the commands as a batch whose payloads are their numbers. */
static void pack_all(void)
{
    for (unsigned i = 0; i < COMMANDS; ++i)
        pack(i, i, i + 1 == COMMANDS ? NULL : commands[i + 1]);
}

static void assert_answered(unsigned i, uint64_t number)
{
    uint64_t answer;

    assert_int_equal(0, commands[i]->state & JUROM_COMMAND_PENDING);
    assert_int_equal(0, commands[i]->refused);
    assert_int_equal(DOCA_SUCCESS, commands[i]->status);
    assert_int_equal(sizeof(answer), commands[i]->response_length);
    memcpy(&answer, commands[i]->response, sizeof(answer));
    assert_int_equal(number + 1, answer);
}

static void assert_rejected(unsigned i, doca_error_t status)
{
    assert_int_equal(0, commands[i]->state & JUROM_COMMAND_PENDING);
    assert_int_equal(1, commands[i]->refused);
    assert_int_equal(status, commands[i]->status);
    assert_int_equal(0, commands[i]->response_length);
}

static void test_batch_is_flushed_once(void **state)
{
    (void)state;
    pack_all();
    assert_int_equal(1, jurom_engine_call(engine, commands[0], LONG, 0, 1));
    assert_int_equal(COMMANDS, pe.submissions);
    assert_int_equal(1, pe.flushes);
    for (unsigned i = 0; i < COMMANDS; ++i)
        assert_answered(i, i);
}

static void test_rejection_ends_one_command_of_a_batch(void **state)
{
    (void)state;
    pe.refuse_every = 2;
    pack_all();
    assert_int_equal(1, jurom_engine_call(engine, commands[0], LONG, 0, 1));
    assert_answered(0, 0);
    assert_rejected(1, DOCA_ERROR_NO_MEMORY);
    assert_answered(2, 2);
    assert_rejected(3, DOCA_ERROR_NO_MEMORY);
    pe.refuse_every = 0;
    assert_int_equal(1, jurom_engine_call(engine, commands[0], LONG, 0, 1));
    assert_answered(1, 1);
}

static void test_length_that_does_not_fit_is_rejected_each_time(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; ++i) {
        pack(0, 5, NULL);
        commands[0]->length = commands[0]->capacity + 1;
        assert_int_equal(1, jurom_engine_call(engine, commands[0], LONG, 0, 1));
        assert_rejected(0, DOCA_ERROR_INVALID_VALUE);
    }
    assert_int_equal(0, pe.submissions);
    pack(0, 5, NULL);
    assert_int_equal(1, jurom_engine_call(engine, commands[0], LONG, 0, 1));
    assert_answered(0, 5);
}

static void test_call_returns_after_its_timeout(void **state)
{
    uint64_t begun = device_now();

    (void)state;
    pe.delay = UINT64_MAX / 4;
    pack(0, 1, NULL);
    assert_int_equal(0, jurom_engine_call(engine, commands[0], 5 * MILLISECOND, 0, 1));
    assert_true(device_now() - begun >= 5 * MILLISECOND);
    assert_int_equal(0, jurom_engine_await(engine, commands[0], MILLISECOND, LONG, 1));
    assert_int_equal(0, jurom_engine_await(engine, commands[0], LONG, 0, 0));
    assert_int_equal(JUROM_COMMAND_PENDING, (uint32_t)commands[0]->state);
    pe.first->due = 0;
    assert_int_equal(1, jurom_engine_await(engine, commands[0], LONG, 0, 1));
    assert_answered(0, 1);
}

static void test_abandoned_command_is_received(void **state)
{
    (void)state;
    pe.delay = UINT64_MAX / 4;
    pack(0, 1, NULL);
    assert_int_equal(0, jurom_engine_call(engine, commands[0], LONG, 0, 0));
    assert_int_equal(1, jurom_command_leave(commands[0], 0));
    assert_int_equal(0, jurom_engine_run(engine, MILLISECOND, 0, 0));
    assert_null(jurom_engine_receive(engine));
    pe.first->due = 0;
    assert_int_equal(0, jurom_engine_run(engine, LONG, 0, 0));
    assert_ptr_equal(commands[0], jurom_engine_receive(engine));
    assert_null(commands[0]->next);
    assert_answered(0, 1);
    assert_null(jurom_engine_receive(engine));
}

static void test_completed_command_cannot_be_abandoned(void **state)
{
    (void)state;
    pack(0, 1, NULL);
    assert_int_equal(1, jurom_engine_call(engine, commands[0], LONG, 0, 1));
    assert_int_equal(0, jurom_command_leave(commands[0], 0));
    assert_null(jurom_engine_receive(engine));
}

static void test_submitted_commands_are_received_in_order(void **state)
{
    struct jurom_command *received;

    (void)state;
    pe.refuse_every = 3;
    for (unsigned i = 0; i < COMMANDS; ++i) {
        pack(i, i, NULL);
        jurom_engine_submit(engine, commands[i]);
    }
    assert_int_equal(0, jurom_engine_run(engine, LONG, 0, 0));
    received = jurom_engine_receive(engine);
    assert_ptr_equal(commands[2], received); /* rejected before the first response */
    assert_rejected(2, DOCA_ERROR_NO_MEMORY);
    jurom_engine_run(engine, received->next == NULL ? LONG : 0, 0, 0);
    received = received->next == NULL ? jurom_engine_receive(engine) : received->next;
    assert_ptr_equal(commands[0], received);
    assert_ptr_equal(commands[1], received->next);
    assert_ptr_equal(commands[3], received->next->next);
    assert_null(received->next->next->next);
    assert_answered(3, 3);
}

/* Commands are queued while another thread holds the lock. */
static void test_queue_is_flushed_once(void **state)
{
    (void)state;
    jurom_engine_lock(engine);
    for (unsigned i = 0; i < COMMANDS; ++i) {
        pack(i, i, NULL);
        jurom_engine_submit(engine, commands[i]);
    }
    assert_int_equal(0, pe.submissions);
    jurom_engine_unlock(engine);
    assert_int_equal(0, jurom_engine_run(engine, LONG, 0, 0));
    assert_int_equal(COMMANDS, pe.submissions);
    assert_int_equal(1, pe.flushes);
    assert_non_null(jurom_engine_receive(engine));
}

static void change_state(struct doca_pe *of)
{
    of->also = NULL;
    jurom_completion_of_state(
            (union doca_data){ .ptr = source }, NULL, DOCA_CTX_STATE_IDLE, DOCA_CTX_STATE_STARTING);
}

static void test_run_returns_events(void **state)
{
    (void)state;
    jurom_engine_wake(engine);
    jurom_engine_wake(engine);
    assert_int_equal(JUROM_ENGINE_WOKEN, jurom_engine_run(engine, LONG, 0, 0));
    assert_int_equal(0, jurom_engine_run(engine, MILLISECOND, 0, 0));
    pe.also = change_state;
    assert_int_equal(JUROM_ENGINE_RECORDS, jurom_engine_run(engine, LONG, 0, 1));
    assert_int_equal(1, array->appended);
    array->delivered = 1;
}

/* The engine thread receives the records of the progress that a caller makes. */
static void test_caller_leaves_records_to_the_engine_thread(void **state)
{
    (void)state;
    pe.also = change_state;
    pack(0, 1, NULL);
    assert_int_equal(1, jurom_engine_call(engine, commands[0], LONG, 0, 1));
    assert_int_equal(JUROM_ENGINE_RECORDS, jurom_engine_run(engine, LONG, 0, 0));
}

static void test_earlier_notification_does_not_shorten_a_sleep(void **state)
{
    (void)state;
    pe.busy_every = 1;
    pe.delay = UINT64_MAX / 4;
    pack(0, 1, NULL);
    assert_int_equal(0, jurom_engine_call(engine, commands[0], MILLISECOND, 0, 1));
    pe.busy_every = 0;
    pe.requests = 0;
    assert_int_equal(0, jurom_engine_await(engine, commands[0], 20 * MILLISECOND, 0, 1));
    assert_int_equal(1, jurom_command_leave(commands[0], 0));
    assert_int_equal(0, jurom_engine_run(engine, 20 * MILLISECOND, 0, 0));
    assert_true(pe.requests < 20);
    pe.first->due = 0;
    assert_int_equal(0, jurom_engine_run(engine, LONG, 0, 0));
    assert_non_null(jurom_engine_receive(engine));
}

static void test_failed_creation_leaves_no_commands(void **state)
{
    struct jurom_command *more[COMMANDS];

    (void)state;
    jurom_engine_lock(engine);
    pe.tasks_max = COMMANDS + 2;
    for (unsigned i = 0; i < 2; ++i)
        assert_int_equal(DOCA_ERROR_NO_MEMORY,
                jurom_engine_make_commands(engine, &worker, PLUGIN, COMMANDS, more));
    assert_int_equal(COMMANDS, pe.tasks);
    pe.tasks_max = 0;
    assert_int_equal(
            DOCA_SUCCESS, jurom_engine_make_commands(engine, &worker, PLUGIN, COMMANDS, more));
    jurom_engine_free_commands(engine, commands, COMMANDS);
    memcpy(commands, more, sizeof(more));
    jurom_engine_unlock(engine);
    pack(0, 9, NULL);
    assert_int_equal(1, jurom_engine_call(engine, commands[0], LONG, 0, 1));
    assert_answered(0, 9);
}

static void test_engine_without_commands_is_destroyed(void **state)
{
    struct jurom_engine *other;

    (void)state;
    assert_int_equal(DOCA_SUCCESS,
            jurom_engine_create(&device_engine_functions, array, &pe, pe.handle, &other));
    jurom_engine_destroy(other);
    jurom_engine_destroy(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_all, close_all)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_batch_is_flushed_once),
        TEST(test_rejection_ends_one_command_of_a_batch),
        TEST(test_length_that_does_not_fit_is_rejected_each_time),
        TEST(test_call_returns_after_its_timeout),
        TEST(test_abandoned_command_is_received),
        TEST(test_completed_command_cannot_be_abandoned),
        TEST(test_submitted_commands_are_received_in_order),
        TEST(test_queue_is_flushed_once),
        TEST(test_run_returns_events),
        TEST(test_caller_leaves_records_to_the_engine_thread),
        TEST(test_earlier_notification_does_not_shorten_a_sleep),
        TEST(test_failed_creation_leaves_no_commands),
        TEST(test_engine_without_commands_is_destroyed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
