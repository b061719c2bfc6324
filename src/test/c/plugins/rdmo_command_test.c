/* SPDX-License-Identifier: Apache-2.0 */
/* Valid and invalid commands of worker_rdmo. */
#include "rdmo_fixture.h"

static const struct urom_worker_rdmo_cmd init = {
    .type = UROM_WORKER_CMD_RDMO_CLIENT_INIT,
    .client_init = { .id = 99, .addr_len = 100 },
};

static void nothing_works_before_a_host_is_a_client(void **state)
{
    (void)state;
    rq_create(&plugin, OTHER_HOST, &peer, DOCA_ERROR_BAD_STATE);
    rq_destroy(&plugin, OTHER_HOST, 1, DOCA_ERROR_BAD_STATE);
    mr_reg(&plugin, OTHER_HOST, &memory, memory.region, REGION, DOCA_ERROR_BAD_STATE);
    mr_dereg(&plugin, OTHER_HOST, key, DOCA_ERROR_BAD_STATE);
}

static void a_host_has_one_client_and_an_id_one_host(void **state)
{
    (void)state;
    client_init(&plugin, HOST, CLIENT, &memory, DOCA_ERROR_ALREADY_EXIST);
    client_init(&plugin, HOST, CLIENT + 1, &memory, DOCA_ERROR_ALREADY_EXIST);
    client_init(&plugin, OTHER_HOST, CLIENT, &memory, DOCA_ERROR_ALREADY_EXIST);
    client_init(&plugin, OTHER_HOST, CLIENT + 1, &memory, DOCA_SUCCESS);
}

static void memory_and_queues_are_their_hosts_own(void **state)
{
    uint64_t queue;

    (void)state;
    client_init(&plugin, OTHER_HOST, CLIENT + 1, &memory, DOCA_SUCCESS);
    mr_dereg(&plugin, OTHER_HOST, key, DOCA_ERROR_NOT_FOUND);
    queue = rq_create(&plugin, HOST, &peer, DOCA_SUCCESS);
    rq_destroy(&plugin, OTHER_HOST, queue, DOCA_ERROR_NOT_FOUND);
    rq_destroy(&plugin, HOST, queue, DOCA_SUCCESS);
}

static void memory_that_is_none_is_not_registered(void **state)
{
    struct host_memory without_key = memory;

    (void)state;
    mr_reg(&plugin, HOST, &memory, memory.region, 0, DOCA_ERROR_INVALID_VALUE);
    mr_reg(&plugin, HOST, &memory, memory.region, SIZE_MAX, DOCA_ERROR_INVALID_VALUE);
    without_key.key_length = 0;
    mr_reg(&plugin, HOST, &without_key, memory.region, 8, DOCA_ERROR_NOT_SUPPORTED);
}

static void many_regions_have_keys_of_their_own(void **state)
{
    uint64_t keys[200];

    (void)state;
    for (int i = 0; i < 200; ++i) {
        keys[i] = mr_reg(&plugin, HOST, &memory, memory.region + i, 1, DOCA_SUCCESS);
        for (int j = 0; j < i; ++j)
            assert_int_not_equal(keys[i], keys[j]);
    }
    for (int i = 0; i < 200; i += 2)
        mr_dereg(&plugin, HOST, keys[i], DOCA_SUCCESS);
    for (int i = 0; i < 200; ++i)
        mr_dereg(&plugin, HOST, keys[i], i % 2 == 0 ? DOCA_ERROR_NOT_FOUND : DOCA_SUCCESS);
}

static void refuse(const void *bytes, size_t length)
{
    uint64_t context;

    assert_status(DOCA_ERROR_INVALID_VALUE,
            instance_command(&plugin, OTHER_HOST, bytes, length, &context));
    assert_false(has_notification(&plugin, context));
}

static void a_command_of_another_length_is_rejected(void **state)
{
    uint8_t bytes[256] = { 0 };

    (void)state;
    memcpy(bytes, &init, sizeof(init));
    for (size_t length = 0; length < sizeof(bytes); ++length) {
        if (length != sizeof(init) + 100)
            refuse(bytes, length);
    }
}

static void a_wrong_length_is_rejected(void **state)
{
    struct urom_worker_rdmo_cmd command = { .type = UROM_WORKER_CMD_RDMO_MR_REG };

    (void)state;
    command.mr_reg.packed_rkey_len = UINT64_MAX;
    command.mr_reg.packed_memh_len = 1;
    refuse(&command, sizeof(command));
    command.mr_reg.packed_rkey_len = UINT64_MAX - 7;
    command.mr_reg.packed_memh_len = 8;
    refuse(&command, sizeof(command));
    command.type = 5;
    refuse(&command, sizeof(command));
    command.type = UINT64_MAX;
    refuse(&command, sizeof(command));
}

static void a_memory_handle_is_let_be(void **state)
{
    uint8_t bytes[4096];
    struct urom_worker_rdmo_cmd command = {
        .type = UROM_WORKER_CMD_RDMO_MR_REG,
        .mr_reg = {
            .va = (uint64_t)memory.region,
            .len = 8,
            .packed_rkey_len = memory.key_length,
            .packed_memh_len = 100,
        },
    };
    doca_error_t status;

    (void)state;
    memcpy(bytes, memory.key, memory.key_length);
    memset(bytes + memory.key_length, 0xFF, 100);
    call(&plugin, HOST, &command, bytes, memory.key_length + 100, &status);
    assert_status(DOCA_SUCCESS, status);
}

static void an_invalid_address_is_rejected(void **state)
{
    struct urom_worker_rdmo_cmd command = init;
    uint8_t zeros[100] = { 0 };
    doca_error_t status;

    (void)state;
    call(&plugin, OTHER_HOST, &command, zeros, sizeof(zeros), &status);
    assert_true(status != DOCA_SUCCESS);
    command.client_init.addr_len = 0;
    call(&plugin, OTHER_HOST, &command, NULL, 0, &status);
    assert_true(status != DOCA_SUCCESS);
}

static void the_plugin_is_armed_when_nothing_is_left_to_do(void **state)
{
    doca_error_t status = DOCA_ERROR_AGAIN;
    int fd = -1;

    (void)state;
    await_progress((status = plugin.arm(&plugin.ctx, &fd)) == DOCA_SUCCESS);
    assert_true(fd >= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(nothing_works_before_a_host_is_a_client),
        TEST(a_host_has_one_client_and_an_id_one_host),
        TEST(memory_and_queues_are_their_hosts_own),
        TEST(memory_that_is_none_is_not_registered),
        TEST(many_regions_have_keys_of_their_own),
        TEST(a_command_of_another_length_is_rejected),
        TEST(a_wrong_length_is_rejected),
        TEST(a_memory_handle_is_let_be),
        TEST(an_invalid_address_is_rejected),
        TEST(the_plugin_is_armed_when_nothing_is_left_to_do),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
