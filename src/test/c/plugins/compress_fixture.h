/* SPDX-License-Identifier: Apache-2.0 */
/* An instance of worker_compress, and a block of text. */
#ifndef JUROM_TEST_COMPRESS_FIXTURE_H_
#define JUROM_TEST_COMPRESS_FIXTURE_H_

#include "compress_host.h"

#define BLOCK 20000

static struct instance instance;
static struct notification answer;
static uint8_t block[BLOCK];

static int set_up(void **state)
{
    (void)state;
    instance_open(&instance, PLUGIN_FILE, 1);
    compress_fill(block, sizeof(block));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    instance_close(&instance);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif /* JUROM_TEST_COMPRESS_FIXTURE_H_ */
