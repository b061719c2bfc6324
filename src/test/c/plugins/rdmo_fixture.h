/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin, a host with registered memory, and a peer with a receive queue. */
#ifndef JUROM_TEST_RDMO_FIXTURE_H_
#define JUROM_TEST_RDMO_FIXTURE_H_

#include <string.h>

#include "rdmo_host.h"

#define REGION (2u << 20)

static struct instance plugin;
static struct host_memory memory;
static struct peer peer;
static uint64_t key; /* of the whole memory */

static unsigned progress_others(void)
{
    return ucp_worker_progress(memory.worker) + ucp_worker_progress(peer.worker);
}

static int set_up(void **state)
{
    (void)state;
    host_memory_open(&memory, REGION);
    peer_open(&peer);
    progress_with(progress_others);
    instance_open(&plugin, PLUGIN_FILE, 1);
    client_init(&plugin, HOST, CLIENT, &memory, DOCA_SUCCESS);
    rq_create(&plugin, HOST, &peer, DOCA_SUCCESS);
    peer_connect(&peer, &plugin);
    key = mr_reg(&plugin, HOST, &memory, memory.region, REGION, DOCA_SUCCESS);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    progress_until_quiet();
    instance_close(&plugin);
    progress_with(NULL);
    peer_close(&peer);
    host_memory_close(&memory);
    return 0;
}

/* Flushes. The answer must contain the number of failed requests and the first error. */
static inline void assert_flushed(uint64_t failed, doca_error_t status)
{
    struct response response;

    memset(peer.responses, 0, sizeof(peer.responses));
    response = flush(&peer, CLIENT);
    assert_int_equal(response.failed, failed);
    assert_status(status, response.status);
}

static inline void assert_zeros(const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; ++i) {
        if (bytes[i] != 0)
            fail_msg("byte %zu of %zu is %u instead of 0", i, length, bytes[i]);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif /* JUROM_TEST_RDMO_FIXTURE_H_ */
