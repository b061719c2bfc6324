/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the lookup of workers and buffers by plugins in the domains sent by hosts. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "domain_body.h"
#include <worker/domains.h>
#include <worker/plugin.h>

#define HOST_A 1001
#define HOST_B 2002

static struct domains domains;
static struct plugin sandbox = { .name = "worker_sandbox", .domains = &domains };
static struct plugin graph = { .name = "worker_graph", .domains = &domains };

static int set_up(void **state)
{
    (void)state;
    domains_init(&domains);
    domains_serve(0);
    sandbox.ctx.domain_iface = domain_lookups;
    graph.ctx.domain_iface = domain_lookups;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    domains_free(&domains);
    return 0;
}

static doca_error_t put(uint64_t connection, const struct body *body)
{
    return domains_put(&domains, connection, (struct wire_bytes){ body->data, body->length });
}

/* Adds a domain of one worker. */
static void put_one(uint64_t connection, uint64_t key, uint64_t id, const char *address)
{
    struct body body;

    begin(&body, key, 1);
    add_part(&body, 1, 0);
    add_worker(&body, id, address);
    assert_int_equal(put(connection, &body), DOCA_SUCCESS);
}

/* Two participants: workers 5 and 3 share two buffers, worker 4 has one of its own. */
static void put_two_participants(void)
{
    struct body body;

    begin(&body, 1, 2);
    add_part(&body, 2, 2);
    add_worker(&body, 5, "five");
    add_worker(&body, 3, "three");
    add_buffer(&body, 0x1000, 0x100, "memh one", "mkey one");
    add_buffer(&body, 0x2000, 0x100, "", "mkey two");
    add_part(&body, 1, 1);
    add_worker(&body, 4, "four");
    add_buffer(&body, 0x1000, 0x10, "memh four", "mkey four");
    assert_int_equal(put(HOST_A, &body), DOCA_SUCCESS);
}

static void assert_address(uint64_t id, const char *expected)
{
    void *address = NULL;

    assert_int_equal(doca_urom_worker_domain_addr_lookup(&sandbox.ctx, id, &address), DOCA_SUCCESS);
    assert_string_equal(address, expected);
}

static void assert_unknown(uint64_t id)
{
    void *address;

    assert_int_equal(
            doca_urom_worker_domain_addr_lookup(&sandbox.ctx, id, &address), DOCA_ERROR_NOT_FOUND);
}

static void assert_segment(uint64_t id, uint64_t va, int expected)
{
    int segment = -1;

    assert_int_equal(
            doca_urom_worker_domain_seg_lookup(&sandbox.ctx, id, va, &segment), DOCA_SUCCESS);
    assert_int_equal(segment, expected);
}

static void assert_no_segment(uint64_t id, uint64_t va)
{
    int segment;

    assert_int_equal(doca_urom_worker_domain_seg_lookup(&sandbox.ctx, id, va, &segment),
            DOCA_ERROR_NOT_FOUND);
}

static void assert_handles(uint64_t id, int segment, const char *memh, const char *mkey)
{
    size_t length;
    void *bytes;

    assert_int_equal(
            doca_urom_worker_domain_memh_lookup(&sandbox.ctx, id, segment, &length, &bytes),
            DOCA_SUCCESS);
    assert_int_equal(length, strlen(memh));
    assert_memory_equal(bytes, memh, length);
    assert_int_equal(
            doca_urom_worker_domain_mkey_lookup(&sandbox.ctx, id, segment, &length, &bytes),
            DOCA_SUCCESS);
    assert_int_equal(length, strlen(mkey));
    assert_memory_equal(bytes, mkey, length);
}

static void every_worker_of_the_domain_is_found_by_id(void **state)
{
    (void)state;
    put_two_participants();
    assert_address(3, "three");
    assert_address(4, "four");
    assert_address(5, "five");
    assert_unknown(6);
}

static void a_lookup_returns_the_address_of_the_same_plugin(void **state)
{
    void *address;

    (void)state;
    put_two_participants();
    assert_int_equal(
            doca_urom_worker_domain_addr_lookup(&graph.ctx, 3, &address), DOCA_ERROR_NOT_FOUND);
}

static void workers_of_a_participant_share_its_segments(void **state)
{
    (void)state;
    put_two_participants();
    assert_segment(5, 0x1000, 0);
    assert_segment(3, 0x10FF, 0);
    assert_segment(3, 0x2000, 1);
    assert_segment(4, 0x100F, 0);
    assert_no_segment(3, 0xFFF);
    assert_no_segment(3, 0x1100);
    assert_no_segment(4, 0x1010);
    assert_no_segment(4, 0x2000);
    assert_no_segment(6, 0x1000);
}

static void handles_and_keys_are_returned_unchanged(void **state)
{
    size_t length;
    void *bytes;

    (void)state;
    put_two_participants();
    assert_handles(5, 0, "memh one", "mkey one");
    assert_handles(3, 1, "", "mkey two");
    assert_handles(4, 0, "memh four", "mkey four");
    assert_int_equal(doca_urom_worker_domain_memh_lookup(&sandbox.ctx, 4, 1, &length, &bytes),
            DOCA_ERROR_NOT_FOUND);
    assert_int_equal(doca_urom_worker_domain_mkey_lookup(&sandbox.ctx, 6, 0, &length, &bytes),
            DOCA_ERROR_NOT_FOUND);
}

static void a_lookup_with_invalid_arguments_is_rejected(void **state)
{
    size_t length;
    void *bytes;

    (void)state;
    put_two_participants();
    assert_int_equal(
            doca_urom_worker_domain_addr_lookup(&sandbox.ctx, 3, NULL), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(doca_urom_worker_domain_seg_lookup(&sandbox.ctx, 3, 0x1000, NULL),
            DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(doca_urom_worker_domain_memh_lookup(&sandbox.ctx, 3, -1, &length, &bytes),
            DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(doca_urom_worker_domain_memh_lookup(&sandbox.ctx, 3, 0, NULL, &bytes),
            DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(doca_urom_worker_domain_mkey_lookup(&sandbox.ctx, 3, -1, &length, &bytes),
            DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(doca_urom_worker_domain_mkey_lookup(&sandbox.ctx, 3, 0, &length, NULL),
            DOCA_ERROR_INVALID_VALUE);
}

static void without_a_domain_nothing_is_found(void **state)
{
    (void)state;
    assert_unknown(0);
    assert_no_segment(0, 0x1000);
}

static void a_domain_replaces_one_with_the_same_key(void **state)
{
    (void)state;
    put_one(HOST_A, 1, 7, "old");
    put_one(HOST_A, 1, 8, "new");
    assert_unknown(7);
    assert_address(8, "new");
}

static void a_domain_without_parts_removes_the_one_with_its_key(void **state)
{
    struct body over;

    (void)state;
    put_one(HOST_A, 1, 7, "first");
    put_one(HOST_A, 2, 8, "second");
    begin(&over, 1, 0);
    assert_int_equal(put(HOST_A, &over), DOCA_SUCCESS);
    assert_unknown(7);
    assert_address(8, "second");
}

static void the_newest_domain_is_searched_first(void **state)
{
    (void)state;
    put_one(HOST_A, 1, 7, "old");
    put_one(HOST_A, 2, 7, "new");
    assert_address(7, "new");
    put_one(HOST_A, 1, 7, "newest");
    assert_address(7, "newest");
}

static void the_domain_of_the_served_host_is_searched_first(void **state)
{
    (void)state;
    put_one(HOST_A, 1, 7, "of A");
    put_one(HOST_B, 1, 7, "of B");
    put_one(HOST_B, 2, 8, "of B alone");

    domains_serve(HOST_A);
    assert_address(7, "of A");
    assert_unknown(8);
    domains_serve(HOST_B);
    assert_address(7, "of B");
    domains_serve(0);
    assert_address(8, "of B alone");
}

static void a_host_without_a_domain_uses_those_of_other_hosts(void **state)
{
    (void)state;
    put_one(HOST_A, 1, 7, "of A");
    domains_serve(HOST_B);
    assert_address(7, "of A");
}

static void the_domains_of_a_disconnected_host_are_removed(void **state)
{
    (void)state;
    put_one(HOST_A, 1, 7, "of A");
    put_one(HOST_A, 2, 8, "of A");
    put_one(HOST_B, 1, 9, "of B");
    domains_forget(&domains, HOST_A);
    assert_unknown(7);
    assert_unknown(8);
    assert_address(9, "of B");
}

static void the_number_of_domains_per_host_is_limited(void **state)
{
    struct body body;

    (void)state;
    for (uint64_t key = 0; key < DOMAINS_PER_CONNECTION; ++key)
        put_one(HOST_A, key, key, "address");
    begin(&body, DOMAINS_PER_CONNECTION, 1);
    add_part(&body, 1, 0);
    add_worker(&body, 999, "one too many");
    assert_int_equal(put(HOST_A, &body), DOCA_ERROR_FULL);
    assert_unknown(999);
    put_one(HOST_B, 1, 998, "of B");
    assert_address(998, "of B");
}

static void a_domain_with_a_duplicate_id_is_rejected_and_the_old_one_is_kept(void **state)
{
    struct body body;

    (void)state;
    put_one(HOST_A, 1, 7, "seven");
    begin(&body, 1, 2);
    add_part(&body, 1, 0);
    add_worker(&body, 8, "eight");
    add_part(&body, 1, 0);
    add_worker(&body, 8, "eight again");
    assert_int_equal(put(HOST_A, &body), DOCA_ERROR_ALREADY_EXIST);
    body.length -= 1;
    assert_int_equal(put(HOST_A, &body), DOCA_ERROR_INVALID_VALUE);
    assert_address(7, "seven");
}

static atomic_bool changing;

static void *look_up(void *failures)
{
    while (atomic_load(&changing)) {
        size_t length;
        void *bytes;
        int segment;

        /* Worker 1 is in every domain, so that each lookup must return it completely. */
        if (doca_urom_worker_domain_addr_lookup(&sandbox.ctx, 1, &bytes) != DOCA_SUCCESS
                || doca_urom_worker_domain_seg_lookup(&sandbox.ctx, 1, 0x1000, &segment)
                        != DOCA_SUCCESS
                || doca_urom_worker_domain_mkey_lookup(&sandbox.ctx, 1, 0, &length, &bytes)
                        != DOCA_SUCCESS)
            atomic_fetch_add((atomic_uint *)failures, 1);
    }
    return NULL;
}

static void concurrent_lookups_see_complete_domains(void **state)
{
    pthread_t threads[3];
    atomic_uint failures = 0;
    struct body body;

    (void)state;
    begin(&body, 1, 1);
    add_part(&body, 1, 1);
    add_worker(&body, 1, "one");
    add_buffer(&body, 0x1000, 16, "memh", "mkey");
    assert_int_equal(put(HOST_A, &body), DOCA_SUCCESS);

    atomic_store(&changing, true);
    for (int i = 0; i < 3; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, look_up, &failures), 0);
    for (int round = 0; round < 2000; ++round)
        assert_int_equal(put(HOST_A, &body), DOCA_SUCCESS);
    atomic_store(&changing, false);
    for (int i = 0; i < 3; ++i)
        pthread_join(threads[i], NULL);

    assert_int_equal(failures, 0);
}

/* Results that a thread of a plugin holds while its domain is removed, and its progress. */
struct reader {
    void *address;
    void *key;
    size_t key_length;
    atomic_int stage; /* 1: looked up; 2: domain removed; 3: results read */
    bool correct;
};

static void *look_up_and_read_later(void *argument)
{
    struct reader *reader = argument;

    doca_urom_worker_domain_addr_lookup(&sandbox.ctx, 1, &reader->address);
    doca_urom_worker_domain_mkey_lookup(&sandbox.ctx, 1, 0, &reader->key_length, &reader->key);
    atomic_store(&reader->stage, 1);
    while (atomic_load(&reader->stage) != 2)
        sched_yield();
    reader->correct = strcmp(reader->address, "one") == 0 && reader->key_length == 4
            && memcmp(reader->key, "mkey", 4) == 0;
    atomic_store(&reader->stage, 3);
    return NULL;
}

/* AddressSanitizer detects a violation. */
static void lookup_results_stay_valid_after_their_domain_is_removed(void **state)
{
    struct reader reader = { .stage = 0 };
    struct body body;
    pthread_t thread;

    (void)state;
    begin(&body, 1, 1);
    add_part(&body, 1, 1);
    add_worker(&body, 1, "one");
    add_buffer(&body, 0x1000, 16, "memh", "mkey");
    assert_int_equal(put(HOST_A, &body), DOCA_SUCCESS);
    assert_int_equal(pthread_create(&thread, NULL, look_up_and_read_later, &reader), 0);
    while (atomic_load(&reader.stage) != 1)
        sched_yield();

    for (unsigned i = 0; i < 100; ++i)
        put_one(HOST_A, 1, 2, "another");
    domains_forget(&domains, HOST_A);
    atomic_store(&reader.stage, 2);

    pthread_join(thread, NULL);
    assert_true(reader.correct);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_worker_of_the_domain_is_found_by_id),
        TEST(a_lookup_returns_the_address_of_the_same_plugin),
        TEST(workers_of_a_participant_share_its_segments),
        TEST(handles_and_keys_are_returned_unchanged),
        TEST(a_lookup_with_invalid_arguments_is_rejected),
        TEST(without_a_domain_nothing_is_found),
        TEST(a_domain_replaces_one_with_the_same_key),
        TEST(a_domain_without_parts_removes_the_one_with_its_key),
        TEST(the_newest_domain_is_searched_first),
        TEST(the_domain_of_the_served_host_is_searched_first),
        TEST(a_host_without_a_domain_uses_those_of_other_hosts),
        TEST(the_domains_of_a_disconnected_host_are_removed),
        TEST(the_number_of_domains_per_host_is_limited),
        TEST(a_domain_with_a_duplicate_id_is_rejected_and_the_old_one_is_kept),
        TEST(concurrent_lookups_see_complete_domains),
        TEST(lookup_results_stay_valid_after_their_domain_is_removed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
