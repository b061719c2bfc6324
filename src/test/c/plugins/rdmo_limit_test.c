/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the resources of hosts and peers, and their release. */
#include <stdio.h>
#include <stdlib.h>

#include "rdmo_fixture.h"

#define QUEUE_REQUESTS_MAX 16384
#define LINKS_MAX 8192

/* Mappings of this process: each UCX endpoint over shared memory has one or more. */
static unsigned count_mappings(void)
{
    FILE *file = fopen("/proc/self/maps", "r");
    unsigned count = 0;
    int byte;

    assert_non_null(file);
    while ((byte = fgetc(file)) != EOF)
        count += byte == '\n';
    fclose(file);
    return count;
}

static void no_vectors(void)
{
    request_scatter(&peer, CLIENT, 0, 0, NULL, 0);
}

static unsigned progress_peer(void)
{
    return ucp_worker_progress(peer.worker);
}

static void requests_that_wait_are_limited(void **state)
{
    uint8_t *target = memory.region + 64;

    (void)state;
    memcpy(memory.region, &target, sizeof(target));
    assert_flushed(0, DOCA_SUCCESS);
    progress_with(
            progress_peer); /* without the host, so that the first operation blocks the others */
    request_append(&peer, CLIENT, 0, memory.region, key, key, "first", 5);
    for (unsigned i = 1; i < QUEUE_REQUESTS_MAX; ++i)
        no_vectors();
    no_vectors();
    no_vectors();
    assert_flushed(3, DOCA_ERROR_FULL); /* two, and the flush, which is answered immediately */

    progress_with(progress_others);
    progress_until_quiet();
    assert_flushed(0, DOCA_SUCCESS);
    assert_memory_equal(target, "first", 5);
}

static void queues_that_are_destroyed_leave_no_endpoints(void **state)
{
    unsigned before = count_mappings();
    struct peer other;

    (void)state;
    peer_open(&other);
    for (int i = 0; i < 2 * LINKS_MAX; ++i)
        rq_destroy(&plugin, HOST, rq_create(&plugin, HOST, &other, DOCA_SUCCESS), DOCA_SUCCESS);
    assert_in_range(count_mappings(), 0, before + LINKS_MAX + 1000);
    progress_until_quiet();
    peer_close(&other);
}

static void hosts_that_come_and_go_share_an_endpoint(void **state)
{
    unsigned before = count_mappings();

    (void)state;
    for (uint64_t host = 1000; host < 2000; ++host) {
        client_init(&plugin, host, host, &memory, DOCA_SUCCESS);
        plugin.host_left(&plugin.ctx, host);
    }
    assert_in_range(count_mappings(), 0, before + 100);
}

/* Each host leaves while its memory is not progressed; that of the next host is. */
static void a_host_that_leaves_in_the_midst_of_a_write_disturbs_no_other(void **state)
{
    uint8_t data[64];
    uint64_t other;
    size_t length = 0;

    (void)state;
    add_vector(data, &length, memory.region, key, "first", 5);
    request_scatter(&peer, CLIENT, 0, 1, data, length);
    request_append(&peer, CLIENT, 0, memory.region, key, key, "x", 1);
    progress_with(progress_peer);
    for (int i = 0; i < 100; ++i)
        progress_all();
    plugin.host_left(&plugin.ctx, HOST);
    progress_with(progress_others);
    progress_until_quiet();

    client_init(&plugin, OTHER_HOST, CLIENT, &memory, DOCA_SUCCESS);
    rq_create(&plugin, OTHER_HOST, &peer, DOCA_SUCCESS);
    other = mr_reg(&plugin, OTHER_HOST, &memory, memory.region, REGION, DOCA_SUCCESS);
    length = 0;
    add_vector(data, &length, memory.region + 100, other, "second", 6);
    request_scatter(&peer, CLIENT, 0, 1, data, length);
    assert_flushed(0, DOCA_SUCCESS);
    assert_memory_equal(memory.region + 100, "second", 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(requests_that_wait_are_limited),
        TEST(queues_that_are_destroyed_leave_no_endpoints),
        TEST(hosts_that_come_and_go_share_an_endpoint),
        TEST(a_host_that_leaves_in_the_midst_of_a_write_disturbs_no_other),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
