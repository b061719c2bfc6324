/* SPDX-License-Identifier: Apache-2.0 */
/* Valid and malformed sandbox commands of both layouts. */
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "worker_sandbox/sandbox_command.h"

#define SIZE_1_13 64
#define SIZE_1_14 72

static const size_t sizes[] = { SIZE_1_13, SIZE_1_14 };

/* Creates a command in a block of exactly its length. */
struct block {
    uint8_t *bytes;
    size_t length;
};

static struct block make(size_t length, uint64_t type)
{
    struct block block = { malloc(length), length };

    assert_non_null(block.bytes);
    memset(block.bytes, 0xAB, length);
    memcpy(block.bytes, &type, sizeof(type));
    return block;
}

static void set(struct block *block, size_t offset, uint64_t value)
{
    memcpy(block->bytes + offset, &value, sizeof(value));
}

/* Creates a MEM_MAP of this layout followed by `handle` bytes. */
static struct block make_mem_map(size_t size, size_t handle)
{
    struct block block = make(size + handle, UROM_WORKER_CMD_SANDBOX_MEM_MAP);

    set(&block, 8, 1);
    set(&block, 16, 3);
    set(&block, 24, 0x1000);
    set(&block, 32, 0x2000);
    if (size == SIZE_1_14)
        set(&block, 56, 0x7F0000001000); /* pointer in the sender's address space */
    set(&block, size - 8, handle);
    return block;
}

static struct block make_send(size_t size, uint64_t count, uint64_t memh_id, size_t payload)
{
    struct block block = make(size + payload, UROM_WORKER_CMD_SANDBOX_TAG_SEND);

    set(&block, 32, count);
    set(&block, 48, memh_id);
    return block;
}

static void assert_refused(struct block block)
{
    struct sandbox_command command;

    assert_int_equal(
            sandbox_read_command(block.bytes, block.length, &command), DOCA_ERROR_INVALID_VALUE);
    free(block.bytes);
}

static void a_mapping_command_of_either_shape_is_read(void **state)
{
    static const size_t handles[] = { 0, 1, 8, 64, 72, 1000 };

    (void)state;
    for (int i = 0; i < 2; ++i) {
        for (size_t j = 0; j < sizeof(handles) / sizeof(handles[0]); ++j) {
            struct block block = make_mem_map(sizes[i], handles[j]);
            struct sandbox_command command;

            assert_int_equal(
                    sandbox_read_command(block.bytes, block.length, &command), DOCA_SUCCESS);
            assert_int_equal(command.type, UROM_WORKER_CMD_SANDBOX_MEM_MAP);
            assert_int_equal(command.mem_map.context, 1);
            assert_int_equal(command.mem_map.field_mask, 3);
            assert_int_equal(command.mem_map.address, 0x1000);
            assert_int_equal(command.mem_map.length, 0x2000);
            assert_int_equal(command.mem_map.exported_length, handles[j]);
            assert_ptr_equal(command.mem_map.exported, block.bytes + sizes[i]);
            free(block.bytes);
        }
    }
}

static void an_inline_send_of_either_shape_is_read(void **state)
{
    static const size_t payloads[] = { 0, 1, 8, 64, 4096 };

    (void)state;
    for (int i = 0; i < 2; ++i) {
        for (size_t j = 0; j < sizeof(payloads) / sizeof(payloads[0]); ++j) {
            struct block block = make_send(sizes[i], payloads[j], 0, payloads[j]);
            struct sandbox_command command;

            assert_int_equal(
                    sandbox_read_command(block.bytes, block.length, &command), DOCA_SUCCESS);
            assert_int_equal(command.tag_send.count, payloads[j]);
            assert_ptr_equal(command.payload, block.bytes + sizes[i]);
            free(block.bytes);
        }
    }
}

static void commands_without_data_have_the_size_of_their_shape(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        struct block send = make_send(sizes[i], 1 << 20, 7, 0);
        struct block receive = make(sizes[i], UROM_WORKER_CMD_SANDBOX_TAG_RECV);
        struct sandbox_command command;

        assert_int_equal(sandbox_read_command(send.bytes, send.length, &command), DOCA_SUCCESS);
        assert_int_equal(command.tag_send.count, 1 << 20);
        assert_int_equal(
                sandbox_read_command(receive.bytes, receive.length, &command), DOCA_SUCCESS);
        free(send.bytes);
        free(receive.bytes);
    }
}

static void a_length_that_does_not_fit_the_command_is_rejected(void **state)
{
    (void)state;
    for (size_t length = 8; length < 200; ++length) {
        if (length == SIZE_1_13 || length == SIZE_1_14)
            continue;
        assert_refused(make(length, UROM_WORKER_CMD_SANDBOX_TAG_RECV));
        if (length >= SIZE_1_13) {
            assert_refused(make_send(length, 1 << 20, 7, 0));
            assert_refused(make_send(length, length - 63, 0, 0));
            assert_refused(make(length, UROM_WORKER_CMD_SANDBOX_MEM_MAP));
        }
    }
    assert_refused(make_send(SIZE_1_13, UINT64_MAX, 0, 0));
    assert_refused(make_send(SIZE_1_13, UINT64_MAX - SIZE_1_13 + 1, 0, 0));
    assert_refused(make_send(SIZE_1_13, 9, 0, 8));
    assert_refused(make(SIZE_1_13, 3));
    assert_refused(make(SIZE_1_13, UINT64_MAX));
}

/* Creates the header of an exported handle, followed by `length` bytes. */
static struct block make_remote_memory(
        uint32_t magic, uint32_t version, uint32_t address, uint32_t key, size_t length)
{
    const uint32_t head[4] = { magic, version, address, key };
    struct block block = { malloc(16 + length), 16 + length };

    assert_non_null(block.bytes);
    memset(block.bytes, 1, block.length);
    memcpy(block.bytes, head, sizeof(head));
    return block;
}

static void remote_memory_is_an_address_and_a_key(void **state)
{
    struct block block = make_remote_memory(0x414D524A, 1, 5, 7, 12);
    struct sandbox_remote_memory memory;

    (void)state;
    assert_int_equal(sandbox_read_remote_memory(block.bytes, block.length, &memory), DOCA_SUCCESS);
    assert_ptr_equal(memory.address, block.bytes + 16);
    assert_int_equal(memory.address_length, 5);
    assert_ptr_equal(memory.key, block.bytes + 21);
    assert_int_equal(memory.key_length, 7);
    free(block.bytes);
}

static void refuse_memory(doca_error_t expected, struct block block)
{
    struct sandbox_remote_memory memory;

    assert_int_equal(sandbox_read_remote_memory(block.bytes, block.length, &memory), expected);
    free(block.bytes);
}

static void other_bytes_are_no_remote_memory(void **state)
{
    struct block nothing = { calloc(1, 1), 0 };

    (void)state;
    refuse_memory(DOCA_ERROR_NOT_SUPPORTED, nothing);
    refuse_memory(DOCA_ERROR_NOT_SUPPORTED, make_remote_memory(1, 1, 5, 7, 12));
    refuse_memory(DOCA_ERROR_INVALID_VALUE, make_remote_memory(0x414D524A, 2, 5, 7, 12));
    refuse_memory(DOCA_ERROR_INVALID_VALUE, make_remote_memory(0x414D524A, 1, 5, 7, 13));
    refuse_memory(DOCA_ERROR_INVALID_VALUE, make_remote_memory(0x414D524A, 1, 0, 12, 12));
    refuse_memory(DOCA_ERROR_INVALID_VALUE, make_remote_memory(0x414D524A, 1, 12, 0, 12));
    refuse_memory(DOCA_ERROR_INVALID_VALUE, make_remote_memory(0x414D524A, 1, UINT32_MAX, 13, 12));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mapping_command_of_either_shape_is_read),
        cmocka_unit_test(an_inline_send_of_either_shape_is_read),
        cmocka_unit_test(commands_without_data_have_the_size_of_their_shape),
        cmocka_unit_test(a_length_that_does_not_fit_the_command_is_rejected),
        cmocka_unit_test(remote_memory_is_an_address_and_a_key),
        cmocka_unit_test(other_bytes_are_no_remote_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
