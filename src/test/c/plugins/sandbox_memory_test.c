/* SPDX-License-Identifier: Apache-2.0 */
/* Tagged messages from and to mapped host memory. */
#include <string.h>

#include "sandbox_host.h"

#define ONE 11 /* ids in the domain */
#define TWO 22
#define REGION (2u << 20)

static struct instance one, two;
static struct host_memory memory;

static unsigned progress_host(void)
{
    return ucp_worker_progress(memory.worker);
}

static int set_up(void **state)
{
    (void)state;
    host_memory_open(&memory, REGION);
    progress_with(progress_host);
    instance_open(&one, PLUGIN_FILE, ONE);
    instance_open(&two, PLUGIN_FILE, TWO);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    progress_until_quiet();
    instance_close(&one);
    instance_close(&two);
    progress_with(NULL);
    host_memory_close(&memory);
    return 0;
}

static void fill(uint8_t *bytes, size_t length, unsigned seed)
{
    for (size_t i = 0; i < length; ++i)
        bytes[i] = (uint8_t)(i * 31 + seed + (i >> 8) + 1);
}

static void assert_zeros(const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; ++i)
        assert_int_equal(bytes[i], 0);
}

static struct outcome await_send(struct instance *instance, uint64_t context)
{
    return await_outcome(instance, context, UROM_WORKER_NOTIFY_SANDBOX_TAG_SEND);
}

static struct outcome await_receive(struct instance *instance, uint64_t context)
{
    return await_outcome(instance, context, UROM_WORKER_NOTIFY_SANDBOX_TAG_RECV);
}

static void messages_go_from_host_memory_to_host_memory(void **state)
{
    static const size_t lengths[] = { 0, 1, 100, 4096, 8193, 65536, 1 << 20 };
    uint8_t *source = memory.region, *target = memory.region + REGION / 2;
    uint64_t from, to;

    (void)state;
    from = map_all(&one, &memory);
    to = map_all(&two, &memory);
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); ++i) {
        size_t length = lengths[i];
        struct outcome outcome;
        uint64_t received;

        memset(memory.region, 0, REGION);
        fill(source, length, (unsigned)i);
        received = receive_mapped(&two, 5, target, length, to);
        outcome = await_send(&one, send_mapped(&one, TWO, 5, source, length, from));
        assert_status(DOCA_SUCCESS, outcome.status);
        outcome = await_receive(&two, received);
        assert_status(DOCA_SUCCESS, outcome.status);
        assert_int_equal(outcome.notify.tag_recv.count, length);
        assert_int_equal(outcome.notify.tag_recv.sender_tag, 5);
        assert_null(outcome.notify.tag_recv.buffer);
        assert_int_equal(outcome.inline_length, 0);
        assert_memory_equal(target, source, length);
        assert_zeros(target + length, REGION / 2 - length);
    }
}

static void a_short_message_leaves_the_rest_of_its_room_alone(void **state)
{
    struct outcome outcome;
    uint64_t received, to;

    (void)state;
    to = map_all(&two, &memory);
    received = receive_mapped(&two, 5, memory.region + 10, 1000, to);
    assert_status(DOCA_SUCCESS, await_send(&one, send_inline(&one, TWO, 5, "short", 5)).status);
    outcome = await_receive(&two, received);
    assert_int_equal(outcome.notify.tag_recv.count, 5);
    assert_memory_equal(memory.region + 10, "short", 5);
    assert_zeros(memory.region, 10);
    assert_zeros(memory.region + 15, 1000);
}

static void a_send_from_memory_is_not_overtaken_by_one_behind_it(void **state)
{
    uint64_t mapped, inlined, first, second, from;

    (void)state;
    from = map_all(&one, &memory);
    memcpy(memory.region, "first", 5);
    first = receive_inline(&two, 5, UINT64_MAX, 100);
    second = receive_inline(&two, 5, UINT64_MAX, 100);
    mapped = send_mapped(&one, TWO, 5, memory.region, 5, from);
    inlined = send_inline(&one, TWO, 5, "second", 6);
    assert_status(DOCA_SUCCESS, await_send(&one, mapped).status);
    assert_status(DOCA_SUCCESS, await_send(&one, inlined).status);
    assert_memory_equal(await_receive(&two, first).inline_bytes, "first", 5);
    assert_memory_equal(await_receive(&two, second).inline_bytes, "second", 6);
}

static void an_access_outside_of_the_mapping_is_rejected(void **state)
{
    uint8_t *start = memory.region + 4096;
    struct outcome outcome;
    uint64_t id;

    (void)state;
    outcome = await_outcome(
            &one, map(&one, HOST, &memory, start, 4096), UROM_WORKER_NOTIFY_SANDBOX_MEM_MAP);
    assert_status(DOCA_SUCCESS, outcome.status);
    id = outcome.notify.mem_map.memh_id;
    const struct {
        const uint8_t *address;
        uint64_t length;
    } outside[] = {
        { start - 1, 1 },
        { start - 1, 4096 },
        { start, 4097 },
        { start + 4096, 1 },
        { start + 1, UINT64_MAX },
        { start + 4095, 2 },
        { NULL, 1 },
        { (uint8_t *)-1, 1 },
    };

    for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); ++i) {
        uint8_t *address = (uint8_t *)outside[i].address;

        outcome = await_send(&one, send_mapped(&one, TWO, 5, address, outside[i].length, id));
        assert_status(DOCA_ERROR_INVALID_VALUE, outcome.status);
        assert_int_equal(outcome.notify.tag_send.status, UCS_ERR_INVALID_PARAM);
        outcome = await_receive(&one, receive_mapped(&one, 5, address, outside[i].length, id));
        assert_status(DOCA_ERROR_INVALID_VALUE, outcome.status);
        assert_int_equal(outcome.notify.tag_recv.status, UCS_ERR_INVALID_PARAM);
        assert_null(outcome.notify.tag_recv.buffer);
    }
    assert_zeros(memory.region, REGION);
}

static void memory_that_was_not_mapped_is_not_found(void **state)
{
    struct outcome outcome;

    (void)state;
    outcome = await_send(&one, send_mapped(&one, TWO, 5, memory.region, 8, 999));
    assert_status(DOCA_ERROR_NOT_FOUND, outcome.status);
    assert_int_equal(outcome.notify.tag_send.status, UCS_ERR_NO_ELEM);
    outcome = await_receive(&one, receive_mapped(&one, 5, memory.region, 8, 999));
    assert_status(DOCA_ERROR_NOT_FOUND, outcome.status);
}

static void the_mapping_of_one_host_is_not_anothers(void **state)
{
    struct outcome outcome;

    (void)state;
    outcome = await_outcome(&one, map(&one, OTHER_HOST, &memory, memory.region, REGION),
            UROM_WORKER_NOTIFY_SANDBOX_MEM_MAP);
    assert_status(DOCA_SUCCESS, outcome.status);
    outcome = await_send(
            &one, send_mapped(&one, TWO, 5, memory.region, 8, outcome.notify.mem_map.memh_id));
    assert_status(DOCA_ERROR_NOT_FOUND, outcome.status);
}

static void the_mappings_of_a_disconnected_host_are_removed(void **state)
{
    uint64_t id;

    (void)state;
    id = map_all(&one, &memory);
    one.host_left(&one.ctx, HOST);
    progress_all();
    assert_status(DOCA_ERROR_NOT_FOUND,
            await_send(&one, send_mapped(&one, TWO, 5, memory.region, 8, id)).status);
}

/* With room for a byte more, such a count is 0. */
static void memory_of_all_addresses_is_rejected(void **state)
{
    struct outcome outcome;

    (void)state;
    outcome = await_outcome(
            &one, map(&one, HOST, &memory, NULL, SIZE_MAX), UROM_WORKER_NOTIFY_SANDBOX_MEM_MAP);
    if (outcome.status == DOCA_SUCCESS) {
        receive_mapped(&one, 5, NULL, SIZE_MAX, outcome.notify.mem_map.memh_id);
        await_send(&two, send_inline(&two, ONE, 5, "0123456789", 10));
        progress_until_quiet();
    }
    assert_status(DOCA_ERROR_INVALID_VALUE, outcome.status);
}

static void more_operations_than_the_limit_of_a_host_are_rejected(void **state)
{
    struct outcome outcome;
    uint64_t id;

    (void)state;
    outcome = await_outcome(&one, map(&one, HOST, &memory, memory.region, SIZE_MAX / 4),
            UROM_WORKER_NOTIFY_SANDBOX_MEM_MAP);
    assert_status(DOCA_SUCCESS, outcome.status);
    id = outcome.notify.mem_map.memh_id;
    outcome = await_send(&one, send_mapped(&one, TWO, 5, memory.region, (256u << 20) + 1, id));
    assert_status(DOCA_ERROR_FULL, outcome.status);
    assert_int_equal(outcome.notify.tag_send.status, UCS_ERR_EXCEEDS_LIMIT);
    outcome = await_receive(&one, receive_mapped(&one, 5, memory.region, SIZE_MAX / 4, id));
    assert_status(DOCA_ERROR_FULL, outcome.status);
}

static doca_error_t map_status(
        const void *address, size_t length, const void *exported, size_t exported_length)
{
    struct outcome outcome = await_outcome(&one,
            map_exported(&one, HOST, address, length, exported, exported_length),
            UROM_WORKER_NOTIFY_SANDBOX_MEM_MAP);

    if (outcome.status != DOCA_SUCCESS)
        assert_int_equal(outcome.notify.mem_map.memh_id, 0);
    return outcome.status;
}

static void an_exported_handle_is_not_supported_and_damage_is_rejected(void **state)
{
    uint32_t damaged[16] = { 0x414D524A, 1, 1000, 1000 };
    uint32_t nonsense[16] = { 0x414D524A, 1, 24, 24 };

    (void)state;
    assert_status(DOCA_ERROR_NOT_SUPPORTED, map_status(memory.region, 8, NULL, 0));
    assert_status(DOCA_ERROR_NOT_SUPPORTED, map_status(memory.region, 8, "handle of UCX", 13));
    assert_status(DOCA_ERROR_INVALID_VALUE, map_status(memory.region, 8, damaged, sizeof(damaged)));
    assert_status(DOCA_ERROR_INVALID_VALUE, map_status(memory.region, 0, damaged, sizeof(damaged)));
    assert_status(DOCA_ERROR_INVALID_VALUE,
            map_status(memory.region, SIZE_MAX, damaged, sizeof(damaged)));
    /* An address without a worker, with any error of UCX. */
    assert_true(map_status(memory.region, 8, nonsense, sizeof(nonsense)) != DOCA_SUCCESS);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(messages_go_from_host_memory_to_host_memory),
        TEST(a_short_message_leaves_the_rest_of_its_room_alone),
        TEST(a_send_from_memory_is_not_overtaken_by_one_behind_it),
        TEST(an_access_outside_of_the_mapping_is_rejected),
        TEST(memory_that_was_not_mapped_is_not_found),
        TEST(the_mapping_of_one_host_is_not_anothers),
        TEST(the_mappings_of_a_disconnected_host_are_removed),
        TEST(memory_of_all_addresses_is_rejected),
        TEST(more_operations_than_the_limit_of_a_host_are_rejected),
        TEST(an_exported_handle_is_not_supported_and_damage_is_rejected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
