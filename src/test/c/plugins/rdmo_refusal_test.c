/* SPDX-License-Identifier: Apache-2.0 */
/* Invalid requests: nothing is written, and the next flush reports them. */
#include <stdlib.h>

#include "rdmo_fixture.h"

#define PART (REGION / 4)

/* A key for only the second quarter of the memory. */
static uint64_t register_part(void)
{
    return mr_reg(&plugin, HOST, &memory, memory.region + PART, PART, DOCA_SUCCESS);
}

static void scatter_one(const void *address, uint64_t with_key, const void *bytes, uint16_t length)
{
    uint8_t *data = malloc(length + 24u);
    size_t size = 0;

    assert_non_null(data);
    add_vector(data, &size, address, with_key, bytes, length);
    request_scatter(&peer, CLIENT, 0, 1, data, size);
    free(data);
}

static void a_vector_outside_of_its_memory_is_not_written(void **state)
{
    const uint8_t *start = memory.region + PART;
    const struct {
        const uint8_t *address;
        uint16_t length;
    } outside[] = {
        { start - 1, 1 },
        { start - 1, 2 },
        { start + PART, 1 },
        { start + PART - 1, 2 },
        { start + PART - 8, 9 },
        { NULL, 8 },
        { (const uint8_t *)-1, 1 },
        { (const uint8_t *)-4, 8 },
        { memory.region + REGION, 1 },
        { memory.region - 1, 1 },
        { memory.region + REGION + 4096, 10 },
    };
    uint64_t part = register_part();
    unsigned count = sizeof(outside) / sizeof(outside[0]);

    (void)state;
    for (unsigned i = 0; i < count; ++i)
        scatter_one(outside[i].address, part, "0123456789", outside[i].length);
    assert_flushed(count, DOCA_ERROR_INVALID_VALUE);
    assert_zeros(memory.region, REGION);
    assert_flushed(0, DOCA_SUCCESS);
}

static void a_scatter_with_one_bad_vector_writes_none(void **state)
{
    uint64_t part = register_part();
    uint8_t data[1024];
    size_t length = 0;

    (void)state;
    for (int i = 0; i < 10; ++i)
        add_vector(data, &length, memory.region + PART + 10 * i, part, "good", 4);
    add_vector(data, &length, memory.region + 2 * PART - 3, part, "evil", 4);
    request_scatter(&peer, CLIENT, 0, 11, data, length);
    assert_flushed(1, DOCA_ERROR_INVALID_VALUE);
    assert_zeros(memory.region, REGION);
}

static void a_scatter_whose_vectors_do_not_fill_it_is_rejected(void **state)
{
    uint8_t data[256];
    size_t length = 0;

    (void)state;
    add_vector(data, &length, memory.region, key, "one", 3);
    add_vector(data, &length, memory.region + 10, key, "two", 3);
    request_scatter(&peer, CLIENT, 0, 3, data, length); /* a third one is missing */
    request_scatter(&peer, CLIENT, 0, UINT64_MAX, data, length);
    request_scatter(&peer, CLIENT, 0, 1, data, length); /* something is left */
    request_scatter(&peer, CLIENT, 0, 0, data, length);
    request_scatter(&peer, CLIENT, 0, 2, data, length - 1); /* cut in the data */
    request_scatter(&peer, CLIENT, 0, 2, data, length - 4); /* cut in the descriptor */
    request_scatter(&peer, CLIENT, 0, 1, NULL, 0);
    assert_flushed(7, DOCA_ERROR_INVALID_VALUE);
    assert_zeros(memory.region, REGION);
    request_scatter(&peer, CLIENT, 0, 0, NULL, 0); /* nothing to do is fine */
    assert_flushed(0, DOCA_SUCCESS);
}

static void a_key_that_was_never_given_out_is_not_found(void **state)
{
    (void)state;
    scatter_one(memory.region, key + 1, "x", 1);
    scatter_one(memory.region, key ^ 1ull << 40, "x", 1);
    scatter_one(memory.region, 0, "x", 1);
    scatter_one(memory.region, UINT64_MAX, "x", 1);
    assert_flushed(4, DOCA_ERROR_NOT_FOUND);
    assert_zeros(memory.region, REGION);
}

static void a_key_is_stale_once_its_memory_is_deregistered(void **state)
{
    uint64_t other, part = register_part();

    (void)state;
    mr_dereg(&plugin, HOST, part, DOCA_SUCCESS);
    scatter_one(memory.region + PART, part, "stale", 5);
    request_append(&peer, CLIENT, 0, memory.region + PART, part, key, "stale", 5);
    assert_flushed(2, DOCA_ERROR_NOT_FOUND);
    mr_dereg(&plugin, HOST, part, DOCA_ERROR_NOT_FOUND);
    /* New memory at the same address does not make the key valid again. */
    other = register_part();
    assert_int_not_equal(other, part);
    scatter_one(memory.region + PART, part, "stale", 5);
    assert_flushed(1, DOCA_ERROR_NOT_FOUND);
    assert_zeros(memory.region, REGION);
}

/* The host is not progressed from now on, so writes of UCX do not complete. */
static unsigned progress_peer(void)
{
    return ucp_worker_progress(peer.worker);
}

/* Makes the plugin start the requests that were sent. */
static void let_plugin_begin(void)
{
    for (unsigned i = 0; i < 1000; ++i)
        progress_all();
}

static void a_deregistration_is_answered_to_a_host_that_does_not_progress(void **state)
{
    (void)state;
    progress_with(progress_peer);
    scatter_one(memory.region, key, "first", 5);
    request_append(&peer, CLIENT, 0, memory.region + 8, key, key, "second", 6);
    let_plugin_begin();

    mr_dereg(&plugin, HOST, key, DOCA_SUCCESS);
    mr_dereg(&plugin, HOST, key, DOCA_ERROR_NOT_FOUND);

    scatter_one(memory.region + PART, key, "late", 4);
    progress_with(progress_others);
    assert_flushed(2, DOCA_ERROR_NOT_FOUND); /* the append had not read its pointer */
    assert_zeros(memory.region + 8, REGION - 8);
}

static void the_end_of_a_queue_is_answered_to_a_host_that_does_not_progress(void **state)
{
    struct urom_worker_rdmo_cmd again = {
        .type = UROM_WORKER_CMD_RDMO_RQ_DESTROY,
        .rq_destroy = { .rq_id = 1 },
    };
    static struct notification notification;
    uint64_t context;

    (void)state;
    progress_with(progress_peer);
    scatter_one(memory.region, key, "before", 6);
    request_flush(&peer, CLIENT, 0, 9);
    let_plugin_begin();

    rq_destroy(&plugin, HOST, 1, DOCA_SUCCESS);

    /* The second flush is answered when all earlier requests are complete. */
    assert_success(instance_command(&plugin, HOST, &again, sizeof(again), &context));
    let_plugin_begin();
    assert_false(has_notification(&plugin, context));
    assert_int_equal(peer.response_count, 0);
    progress_with(progress_others);
    await_notification(&plugin, context, &notification);
    assert_status(DOCA_ERROR_NOT_FOUND, notification.status);
    await_progress(peer.response_count == 1);
    peer.response_count = 0;
    assert_memory_equal(memory.region, "before", 6);
}

#define VECTORS 2000 /* many more than the number of concurrent writes */

static void what_has_not_begun_at_a_deregistration_is_not_written(void **state)
{
    uint8_t data[VECTORS * (sizeof(struct urom_rdmo_scatter_iov) + 1)];
    size_t length = 0;

    (void)state;
    for (size_t i = 0; i < VECTORS; ++i)
        add_vector(data, &length, memory.region + i, key, "v", 1);
    progress_with(progress_peer);
    request_scatter(&peer, CLIENT, 0, VECTORS, data, length);
    let_plugin_begin();

    mr_dereg(&plugin, HOST, key, DOCA_SUCCESS);

    progress_with(progress_others);
    assert_flushed(1, DOCA_ERROR_NOT_FOUND);
    assert_zeros(memory.region + VECTORS / 2, REGION - VECTORS / 2);
}

/* Sends an append by the pointer to `target` at the start of the memory. */
static void append_at(const uint8_t *target, uint64_t data_key, const void *bytes, size_t length)
{
    memcpy(memory.region, &target, sizeof(target));
    request_append(&peer, CLIENT, 0, memory.region, key, data_key, bytes, length);
    assert_flushed(1, DOCA_ERROR_INVALID_VALUE);
    assert_memory_equal(memory.region, &target, sizeof(target));
}

static void an_append_beyond_its_memory_is_not_written_and_moves_nothing(void **state)
{
    uint64_t part = register_part();
    const uint8_t *start = memory.region + PART;

    (void)state;
    append_at(start + PART, part, "x", 1);
    append_at(start + PART - 4, part, "12345", 5);
    append_at(start - 1, part, "12", 2);
    append_at(NULL, part, "x", 1);
    append_at((const uint8_t *)-1, part, "12", 2);
    append_at(memory.region + REGION, part, "x", 1);
    assert_zeros(memory.region + 8, REGION - 8);
}

static void a_pointer_that_is_not_within_its_memory_is_not_read(void **state)
{
    uint64_t part = register_part();
    const uint8_t *start = memory.region + PART;

    (void)state;
    request_append(&peer, CLIENT, 0, start - 1, part, key, "x", 1);
    request_append(&peer, CLIENT, 0, start + PART - 7, part, key, "x", 1);
    request_append(&peer, CLIENT, 0, NULL, part, key, "x", 1);
    request_append(&peer, CLIENT, 0, (void *)-4, part, key, "x", 1);
    assert_flushed(4, DOCA_ERROR_INVALID_VALUE);
    assert_zeros(memory.region, REGION);
}

static void the_first_reason_is_reported_once(void **state)
{
    (void)state;
    scatter_one(memory.region, key + 1, "x", 1);
    scatter_one(memory.region + REGION, key, "x", 1);
    scatter_one(memory.region, key, "good", 4);
    assert_flushed(2, DOCA_ERROR_NOT_FOUND);
    assert_memory_equal(memory.region, "good", 4);
    assert_flushed(0, DOCA_SUCCESS);
}

static void an_invalid_header_is_rejected(void **state)
{
    struct {
        struct urom_rdmo_hdr common;
        uint64_t own[4];
    } header = { { CLIENT, UROM_RDMO_OP_SCATTER, 0 }, { 0 } };

    (void)state;
    request(&peer, &header, 16, NULL, 0); /* without the operation's own */
    request(&peer, &header, 32, NULL, 0);
    header.common.op_id = 3;
    request(&peer, &header, 24, NULL, 0);
    header.common.op_id = UROM_RDMO_OP_FLUSH;
    request(&peer, &header, 24, "data", 4);
    header.common.op_id = UROM_RDMO_OP_APPEND;
    request(&peer, &header, 24, NULL, 0);
    header.common.op_id = UROM_RDMO_OP_SCATTER;
    header.common.flags = 2;
    request(&peer, &header, 24, NULL, 0);
    assert_flushed(6, DOCA_ERROR_INVALID_VALUE);
    request(&peer, &header, 8, NULL, 0); /* without even the id of a client */
    request(&peer, "", 1, NULL, 0);
    assert_flushed(0, DOCA_SUCCESS);
}

static void a_flush_without_a_client_is_answered(void **state)
{
    struct response response;

    (void)state;
    scatter_one(memory.region, key, "good", 4);
    memset(peer.responses, 0, sizeof(peer.responses));
    response = flush(&peer, CLIENT + 1);
    assert_int_equal(response.failed, 1);
    assert_status(DOCA_ERROR_NOT_FOUND, response.status);
    assert_flushed(0, DOCA_SUCCESS);
}

static void a_peer_without_a_queue_is_not_heard(void **state)
{
    struct peer stranger;
    uint8_t data[64];
    size_t length = 0;

    (void)state;
    peer_open(&stranger);
    peer_connect(&stranger, &plugin);
    add_vector(data, &length, memory.region, key, "strange", 7);
    request_scatter(&stranger, CLIENT, 0, 1, data, length);
    request_flush(&stranger, CLIENT, 0, 9);
    ucp_worker_progress(stranger.worker);
    progress_until_quiet();
    ucp_worker_progress(stranger.worker);
    assert_int_equal(stranger.response_count, 0);
    assert_zeros(memory.region, REGION);
    peer_close(&stranger);
}

static void a_queue_that_is_destroyed_takes_no_more_requests(void **state)
{
    struct response response;
    uint64_t queue;

    (void)state;
    queue = 1; /* the first of the client */
    scatter_one(memory.region, key, "before", 6);
    assert_flushed(0, DOCA_SUCCESS);
    rq_destroy(&plugin, HOST, queue, DOCA_SUCCESS);
    rq_destroy(&plugin, HOST, queue, DOCA_ERROR_NOT_FOUND);
    scatter_one(memory.region, key, "behind", 6);
    memset(peer.responses, 0, sizeof(peer.responses));
    response = flush(&peer, CLIENT);
    assert_status(DOCA_ERROR_NOT_FOUND, response.status);
    assert_memory_equal(memory.region, "before", 6);
}

static void a_host_that_leaves_takes_its_client_along(void **state)
{
    struct response response;

    (void)state;
    plugin.host_left(&plugin.ctx, HOST);
    scatter_one(memory.region, key, "late", 4);
    memset(peer.responses, 0, sizeof(peer.responses));
    response = flush(&peer, CLIENT);
    assert_status(DOCA_ERROR_NOT_FOUND, response.status);
    assert_zeros(memory.region, REGION);
    client_init(&plugin, OTHER_HOST, CLIENT, &memory, DOCA_SUCCESS);
}

static void requests_in_the_midst_of_which_the_host_leaves_are_over(void **state)
{
    (void)state;
    for (int i = 0; i < 10; ++i)
        scatter_one(memory.region + i, key, "x", 1);
    request_flush(&peer, CLIENT, 0, 5);
    progress_with(NULL); /* neither host nor peer is progressed */
    for (int i = 0; i < 100; ++i)
        progress_all();
    plugin.host_left(&plugin.ctx, HOST);
    progress_with(progress_others);
    await_progress(peer.response_count == 1);
    assert_int_equal(peer.responses[0].flush_id, 5);
    peer.response_count = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_vector_outside_of_its_memory_is_not_written),
        TEST(a_scatter_with_one_bad_vector_writes_none),
        TEST(a_scatter_whose_vectors_do_not_fill_it_is_rejected),
        TEST(a_key_that_was_never_given_out_is_not_found),
        TEST(a_key_is_stale_once_its_memory_is_deregistered),
        TEST(a_deregistration_is_answered_to_a_host_that_does_not_progress),
        TEST(the_end_of_a_queue_is_answered_to_a_host_that_does_not_progress),
        TEST(what_has_not_begun_at_a_deregistration_is_not_written),
        TEST(an_append_beyond_its_memory_is_not_written_and_moves_nothing),
        TEST(a_pointer_that_is_not_within_its_memory_is_not_read),
        TEST(the_first_reason_is_reported_once),
        TEST(an_invalid_header_is_rejected),
        TEST(a_flush_without_a_client_is_answered),
        TEST(a_peer_without_a_queue_is_not_heard),
        TEST(a_queue_that_is_destroyed_takes_no_more_requests),
        TEST(a_host_that_leaves_takes_its_client_along),
        TEST(requests_in_the_midst_of_which_the_host_leaves_are_over),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
