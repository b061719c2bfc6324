/* SPDX-License-Identifier: Apache-2.0 */
/* Append, scatter and flush on a host's memory, verified byte by byte. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rdmo_fixture.h"

#define POINTER_SIZE sizeof(uint64_t)
#define FILE_SIZE (16u << 20)
#define DESCRIPTORS 64 /* more than UCX opens for a peer */

/* Writes a pointer to `target` to the start of the memory. */
static uint8_t *place_pointer(const uint8_t *target)
{
    memcpy(memory.region, &target, POINTER_SIZE);
    return memory.region;
}

static uint8_t *pointer_at(const uint8_t *place)
{
    uint8_t *pointer;

    memcpy(&pointer, place, POINTER_SIZE);
    return pointer;
}

static uint8_t *random_bytes(size_t length)
{
    uint8_t *bytes = malloc(length + 1);

    assert_non_null(bytes);
    for (size_t i = 0; i < length; ++i)
        bytes[i] = (uint8_t)(random() | 1); /* never 0, unlike untouched memory */
    return bytes;
}

static void an_append_writes_where_the_pointer_points_and_moves_it(void **state)
{
    uint8_t *target = memory.region + 100;
    uint8_t *pointer = place_pointer(target);

    (void)state;
    request_append(&peer, CLIENT, 0, pointer, key, key, "hello", 5);
    assert_flushed(0, DOCA_SUCCESS);
    assert_memory_equal(target, "hello", 5);
    assert_ptr_equal(pointer_at(pointer), target + 5);
    assert_zeros(memory.region + POINTER_SIZE, 100 - POINTER_SIZE);
    assert_zeros(target + 5, REGION - 105);
}

static void appends_lie_one_behind_the_other(void **state)
{
    static const size_t lengths[] = { 1, 0, 7, 8192, 3, 65536, 8193, 500000 };
    uint8_t *target = memory.region + 64;
    uint8_t *pointer = place_pointer(target);
    uint8_t *bytes[8];

    (void)state;
    for (int i = 0; i < 8; ++i) {
        bytes[i] = random_bytes(lengths[i]);
        request_append(&peer, CLIENT, 0, pointer, key, key, bytes[i], lengths[i]);
    }
    assert_flushed(0, DOCA_SUCCESS);
    for (int i = 0; i < 8; ++i) {
        assert_memory_equal(target, bytes[i], lengths[i]);
        target += lengths[i];
        free(bytes[i]);
    }
    assert_ptr_equal(pointer_at(pointer), target);
    assert_zeros(target, memory.region + REGION - target);
}

static void an_append_fills_the_memory_to_its_last_byte(void **state)
{
    uint8_t *target = memory.region + REGION - 10;
    uint8_t *pointer = place_pointer(target);

    (void)state;
    request_append(&peer, CLIENT, 0, pointer, key, key, "0123456789", 10);
    assert_flushed(0, DOCA_SUCCESS);
    assert_memory_equal(target, "0123456789", 10);
    request_append(&peer, CLIENT, 0, pointer, key, key, "", 0);
    assert_flushed(0, DOCA_SUCCESS);
    request_append(&peer, CLIENT, 0, pointer, key, key, "x", 1);
    assert_flushed(1, DOCA_ERROR_INVALID_VALUE);
    assert_ptr_equal(pointer_at(pointer), target + 10);
}

static void appends_of_two_peers_do_not_mix(void **state)
{
    uint8_t *target = memory.region + 64;
    uint8_t *pointer = place_pointer(target);
    unsigned count[2] = { 0, 0 };
    struct peer other;

    (void)state;
    peer_open(&other);
    rq_create(&plugin, HOST, &other, DOCA_SUCCESS);
    peer_connect(&other, &plugin);
    for (int i = 0; i < 50; ++i) {
        request_append(&peer, CLIENT, 0, pointer, key, key, "aaaa", 4);
        request_append(&other, CLIENT, 0, pointer, key, key, "bbbb", 4);
        ucp_worker_progress(other.worker);
    }
    await_progress((ucp_worker_progress(other.worker), pointer_at(pointer) == target + 400));
    for (int i = 0; i < 100; ++i) {
        bool is_b = target[4 * i] == 'b';

        assert_memory_equal(target + 4 * i, is_b ? "bbbb" : "aaaa", 4);
        ++count[is_b];
    }
    assert_int_equal(count[0], 50);
    assert_int_equal(count[1], 50);
    progress_until_quiet();
    peer_close(&other);
}

static void a_scatter_writes_each_vector_to_its_place(void **state)
{
    uint8_t data[1024];
    size_t length = 0;

    (void)state;
    add_vector(data, &length, memory.region + 1000, key, "first", 5);
    add_vector(data, &length, memory.region, key, "second", 6);
    add_vector(data, &length, memory.region + 500, key, "", 0);
    add_vector(data, &length, memory.region + REGION - 1, key, "x", 1);
    request_scatter(&peer, CLIENT, 0, 4, data, length);
    assert_flushed(0, DOCA_SUCCESS);
    assert_memory_equal(memory.region, "second", 6);
    assert_zeros(memory.region + 6, 994);
    assert_memory_equal(memory.region + 1000, "first", 5);
    assert_zeros(memory.region + 1005, REGION - 1006);
    assert_int_equal(memory.region[REGION - 1], 'x');
}

/* Applies random vectors, disjoint within a scatter, to the memory and to a model. */
static void random_scatters_leave_what_a_model_leaves(void **state)
{
    uint8_t *model = calloc(1, REGION);
    uint8_t *data = malloc(REGION);
    uint8_t *bytes = random_bytes(65535);

    (void)state;
    assert_true(model != NULL && data != NULL);
    srandom(4711);
    for (int round = 0; round < 40; ++round) {
        size_t at = (size_t)(random() % 100), length = 0, count = 0;

        while (count < 2000) {
            uint16_t size = (uint16_t)(random() % (round % 4 == 0 ? 3000 : 60));

            if (at + size > REGION || length + size + 24 > REGION)
                break;
            bytes[0] = (uint8_t)random();
            add_vector(data, &length, memory.region + at, key, bytes, size);
            memcpy(model + at, bytes, size);
            at += size + (size_t)(random() % 200);
            ++count;
        }
        request_scatter(
                &peer, CLIENT, round % 2 == 0 ? UROM_RDMO_REQ_FLAG_FENCE : 0, count, data, length);
        if (round % 5 == 4) {
            assert_flushed(0, DOCA_SUCCESS);
            assert_memory_equal(memory.region, model, REGION);
        }
    }
    free(bytes);
    free(data);
    free(model);
}

static void a_fence_keeps_what_is_behind_it_behind(void **state)
{
    uint8_t data[256];

    (void)state;
    for (int i = 0; i < 200; ++i) {
        char text[8];
        size_t length = 0;

        snprintf(text, sizeof(text), "%07d", i);
        add_vector(data, &length, memory.region, key, text, 7);
        request_scatter(&peer, CLIENT, UROM_RDMO_REQ_FLAG_FENCE, 1, data, length);
    }
    assert_flushed(0, DOCA_SUCCESS);
    assert_memory_equal(memory.region, "0000199", 7);
}

static void flushes_are_answered_in_their_order_with_and_without_fence(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 10; ++i)
        request_flush(&peer, CLIENT, i % 2 == 0 ? UROM_RDMO_REQ_FLAG_FENCE : 0, 70 + i);
    await_progress(peer.response_count == 10);
    for (unsigned i = 0; i < 10; ++i) {
        assert_int_equal(peer.responses[i].flush_id, 70 + i);
        assert_int_equal(peer.responses[i].failed, 0);
    }
    peer.response_count = 0;
}

static void a_host_can_be_a_peer_too(void **state)
{
    struct peer self = {
        .worker = memory.worker,
        .address = memory.address,
        .address_length = memory.address_length,
    };
    uint8_t data[64];
    size_t length = 0;

    (void)state;
    rq_create(&plugin, HOST, &self, DOCA_SUCCESS);
    peer_connect(&self, &plugin);
    add_vector(data, &length, memory.region, key, "self", 4);
    request_scatter(&self, CLIENT, 0, 1, data, length);
    await_progress(memcmp(memory.region, "self", 4) == 0);
}

static void a_peer_that_connects_anew_needs_a_queue_anew(void **state)
{
    (void)state;
    assert_flushed(0, DOCA_SUCCESS);
    rq_create(&plugin, HOST, &peer, DOCA_SUCCESS);
    peer_connect(&peer, &plugin);
    assert_flushed(0, DOCA_SUCCESS);
}

static void send_without_waiting(void)
{
    static const ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
        .flags = UCP_AM_SEND_FLAG_REPLY,
    };
    void *sent = ucp_am_send_nbx(peer.endpoint, 0, "request", 7, NULL, 0, &param);

    for (unsigned i = 0; i < 100; ++i)
        ucp_worker_progress(peer.worker);
    if (UCS_PTR_IS_PTR(sent))
        ucp_request_free(sent);
}

/* Opens files that get the descriptor numbers that the plugin had. */
static void a_peer_does_not_write_to_files_of_a_process_whose_plugin_is_closed(void **state)
{
    int files[DESCRIPTORS];
    uint8_t *bytes;

    (void)state;
    if (getenv("UCX_TLS") != NULL)
        skip();
    instance_close(&plugin);
    files[0] = memfd_create("a file of the process", MFD_CLOEXEC);
    assert_int_equal(0, ftruncate(files[0], FILE_SIZE));
    for (unsigned i = 1; i < DESCRIPTORS; ++i)
        files[i] = dup(files[0]);

    send_without_waiting();

    bytes = mmap(NULL, FILE_SIZE, PROT_READ, MAP_SHARED, files[0], 0);
    assert_ptr_not_equal(MAP_FAILED, bytes);
    assert_zeros(bytes, FILE_SIZE);
    munmap(bytes, FILE_SIZE);
    for (unsigned i = 0; i < DESCRIPTORS; ++i)
        close(files[i]);
    instance_open(&plugin, PLUGIN_FILE, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_append_writes_where_the_pointer_points_and_moves_it),
        TEST(appends_lie_one_behind_the_other),
        TEST(an_append_fills_the_memory_to_its_last_byte),
        TEST(appends_of_two_peers_do_not_mix),
        TEST(a_scatter_writes_each_vector_to_its_place),
        TEST(random_scatters_leave_what_a_model_leaves),
        TEST(a_fence_keeps_what_is_behind_it_behind),
        TEST(flushes_are_answered_in_their_order_with_and_without_fence),
        TEST(a_host_can_be_a_peer_too),
        TEST(a_peer_that_connects_anew_needs_a_queue_anew),
        TEST(a_peer_does_not_write_to_files_of_a_process_whose_plugin_is_closed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
