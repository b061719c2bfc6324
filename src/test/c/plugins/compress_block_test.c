/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of each format and level, and the blocks of hosts that leave. */
#include <string.h>

#include "compress_fixture.h"

#include <cmocka_all.h>

#define FRAME (BLOCK + BLOCK / 128 + 512) /* bytes of the longest frame */

/* Compresses the first bytes of the block to `frame`. Returns the command that decompresses them. */
static struct compress_request compressed(
        uint32_t format, int level, uint32_t flags, size_t length, uint8_t frame[FRAME])
{
    struct compress_request request = {
        .type = UROM_WORKER_CMD_COMPRESS,
        .format = format,
        .level = level,
        .flags = flags,
        .capacity = length + length / 128 + 512,
        .data = block,
        .length = length,
    };
    const uint8_t *output;

    assert_int_equal(compress_run(&instance, &request, &answer), UROM_COMPRESS_OK);
    output = compress_output(&answer, &request.length);
    memcpy(frame, output, request.length);
    request.type = UROM_WORKER_CMD_COMPRESS_DECOMPRESS;
    request.data = frame;
    request.capacity = length;
    return request;
}

/* Compresses the first bytes of the block, and requires that decompression returns them. */
static void round_trip(uint32_t format, int level, uint32_t flags, size_t length)
{
    uint8_t frame[FRAME];
    struct compress_request request = compressed(format, level, flags, length, frame);
    const uint8_t *output;

    assert_int_equal(compress_run(&instance, &request, &answer), UROM_COMPRESS_OK);
    output = compress_output(&answer, &request.length);
    assert_int_equal(request.length, length);
    assert_memory_equal(output, block, length);
}

struct levels {
    uint32_t format;
    int min, max;
};

/* The levels that docs/plugin-protocols.md states. */
static const struct levels formats[UROM_COMPRESS_FORMATS_END] = {
    [UROM_COMPRESS_ZSTD] = { UROM_COMPRESS_ZSTD, -131072, 22 },
    [UROM_COMPRESS_LZ4] = { UROM_COMPRESS_LZ4, 0, 12 },
    [UROM_COMPRESS_GZIP] = { UROM_COMPRESS_GZIP, 0, 12 },
    [UROM_COMPRESS_ZLIB] = { UROM_COMPRESS_ZLIB, 0, 12 },
    [UROM_COMPRESS_DEFLATE] = { UROM_COMPRESS_DEFLATE, 0, 12 },
};

/* Calls an action with each format, and fails for a format that has no entry. */
static void for_each_format(void (*action)(const struct levels *levels))
{
    for (uint32_t format = UROM_COMPRESS_ZSTD; format < UROM_COMPRESS_FORMATS_END; ++format) {
        assert_int_equal(formats[format].format, format);
        action(&formats[format]);
    }
}

static void compress_sizes(const struct levels *levels)
{
    size_t sizes[] = { 0, 1, 100, BLOCK };

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i) {
        round_trip(levels->format, 1, 0, sizes[i]);
        round_trip(levels->format, 1, UROM_COMPRESS_CHECKSUM, sizes[i]);
    }
}

static void blocks_of_each_size_come_back(void **state)
{
    (void)state;
    for_each_format(compress_sizes);
}

static void compress_levels(const struct levels *levels)
{
    struct compress_request request = {
        .type = UROM_WORKER_CMD_COMPRESS, .format = levels->format, .capacity = BLOCK
    };

    request.level = levels->min - 1;
    assert_int_equal(compress_run(&instance, &request, &answer), UROM_COMPRESS_LEVEL);
    request.level = levels->max + 1;
    assert_int_equal(compress_run(&instance, &request, &answer), UROM_COMPRESS_LEVEL);
    round_trip(levels->format, levels->min, 0, BLOCK);
    for (int level = 0; level <= levels->max; ++level)
        round_trip(levels->format, level, 0, BLOCK);
}

/* More contexts than a host may keep. */
static void each_level_is_usable(void **state)
{
    (void)state;
    for_each_format(compress_levels);
    for_each_format(compress_levels);
}

static void cut_a_block(const struct levels *levels)
{
    uint8_t frame[FRAME];
    struct compress_request request = compressed(levels->format, 1, 0, BLOCK, frame);

    request.length /= 2;
    assert_int_not_equal(compress_run(&instance, &request, &answer), UROM_COMPRESS_OK);
    round_trip(levels->format, 1, 0, 0); /* its frame of LZ4 states no length */
}

static void a_cut_block_does_not_affect_the_next(void **state)
{
    (void)state;
    for_each_format(cut_a_block);
}

static void a_gzip_member_states_its_length(void **state)
{
    struct compress_request request = {
        .type = UROM_WORKER_CMD_COMPRESS,
        .format = UROM_COMPRESS_GZIP,
        .level = 6,
        .capacity = BLOCK,
        .data = block,
        .length = BLOCK,
    };
    const uint8_t *output;
    size_t length;

    (void)state;
    assert_int_equal(compress_run(&instance, &request, &answer), UROM_COMPRESS_OK);
    output = compress_output(&answer, &length);
    assert_memory_equal(output + 12, "JU\4\0", 4);
    assert_int_equal(output[16] | output[17] << 8 | output[18] << 16 | output[19] << 24, length);
}

static void blocks_of_a_host_that_leaves_are_dropped(void **state)
{
    struct compress_request request = {
        .type = UROM_WORKER_CMD_COMPRESS,
        .format = UROM_COMPRESS_ZSTD,
        .level = 1,
        .capacity = BLOCK,
        .data = block,
        .length = BLOCK,
    };
    uint64_t executed, dropped, other;

    (void)state;
    compress_send(&instance, HOST, &request, &executed);
    await_progress(has_notification(&instance, executed));
    compress_send(&instance, HOST, &request, &dropped);
    compress_send(&instance, HOST + 1, &request, &other);
    instance.host_left(&instance.ctx, HOST);
    await_progress(has_notification(&instance, other));
    progress_until_quiet();
    assert_false(has_notification(&instance, dropped));
    round_trip(UROM_COMPRESS_ZSTD, 1, 0, BLOCK); /* the host's number is used again */
}

/* The worker does not sleep while blocks wait. */
static void waiting_blocks_keep_the_worker_awake(void **state)
{
    struct compress_request request = {
        .type = UROM_WORKER_CMD_COMPRESS,
        .format = UROM_COMPRESS_LZ4,
        .capacity = BLOCK,
        .data = block,
        .length = BLOCK,
    };
    uint64_t context;
    int fd;

    (void)state;
    assert_success(instance.arm(&instance.ctx, &fd));
    assert_int_equal(fd, -1);
    compress_send(&instance, HOST, &request, &context);
    assert_int_equal(instance.arm(&instance.ctx, &fd), DOCA_ERROR_AGAIN);
    await_progress(has_notification(&instance, context));
    assert_success(instance.arm(&instance.ctx, &fd));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(blocks_of_each_size_come_back),
        TEST(each_level_is_usable),
        TEST(a_cut_block_does_not_affect_the_next),
        TEST(a_gzip_member_states_its_length),
        TEST(blocks_of_a_host_that_leaves_are_dropped),
        TEST(waiting_blocks_keep_the_worker_awake),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
