/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Closes a plugin although a host no longer progresses UCX, so that writes to its memory never
 * complete. The plugin then leaks UCX's resources.
 */
#include "sandbox_host.h"

#define ONE 11 /* id in the domain */

static struct instance one;
static struct host_memory memory;

static unsigned progress_host(void)
{
    return ucp_worker_progress(memory.worker);
}

static void a_sandbox_that_waits_for_a_stuck_host_can_be_closed(void **state)
{
    uint64_t id;

    (void)state;
    host_memory_open(&memory, 4096);
    progress_with(progress_host);
    instance_open(&one, PLUGIN_FILE, ONE);
    id = map_all(&one, &memory);
    progress_with(NULL);
    send_mapped(&one, ONE, 5, memory.region, 8, id);
    receive_mapped(&one, 6, memory.region, 8, id);
    progress_all();

    instance_close(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sandbox_that_waits_for_a_stuck_host_can_be_closed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
