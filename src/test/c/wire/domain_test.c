/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the blocks that participants of a domain exchange and the table sent to their workers. */
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include <wire/domain.h>

#define PART_MAX 512

#define BYTES(text) \
    { \
        (const uint8_t *)(text), sizeof(text) - 1 \
    }

static const struct wire_domain_plugin sandbox = { BYTES("worker_sandbox"), BYTES("addr\0ess") };
static const struct wire_domain_plugin rdmo = { BYTES("worker_rdmo"), BYTES("a") };
static const struct wire_domain_buffer first = { 0x10000, 4096, BYTES("memh"), BYTES("mkey") };
static const struct wire_domain_buffer second = { UINT64_MAX, 1, BYTES(""), BYTES("k") };

/* A part of two workers, of which the first has two plugins, and two buffers. */
static size_t make_part(uint8_t *data, size_t capacity)
{
    size_t length = 0;

    assert_int_equal(wire_add_part(data, capacity, &length, 2, 2), DOCA_SUCCESS);
    assert_int_equal(wire_add_part_worker(data, capacity, &length, 7, 2), DOCA_SUCCESS);
    assert_int_equal(wire_add_part_plugin(data, capacity, &length, &sandbox), DOCA_SUCCESS);
    assert_int_equal(wire_add_part_plugin(data, capacity, &length, &rdmo), DOCA_SUCCESS);
    assert_int_equal(wire_add_part_worker(data, capacity, &length, UINT64_MAX, 0), DOCA_SUCCESS);
    assert_int_equal(wire_add_part_buffer(data, capacity, &length, &first), DOCA_SUCCESS);
    assert_int_equal(wire_add_part_buffer(data, capacity, &length, &second), DOCA_SUCCESS);
    return length;
}

/* Rebuilds a part from the visited elements. */
struct copy {
    uint8_t data[2 * PART_MAX];
    size_t length;
};

static void copy_part(void *owner, uint32_t workers, uint32_t buffers)
{
    struct copy *copy = owner;

    wire_add_part(copy->data, sizeof(copy->data), &copy->length, workers, buffers);
}

static void copy_worker(void *owner, uint64_t id, uint32_t plugins)
{
    struct copy *copy = owner;

    wire_add_part_worker(copy->data, sizeof(copy->data), &copy->length, id, plugins);
}

static void copy_plugin(void *owner, const struct wire_domain_plugin *plugin)
{
    struct copy *copy = owner;

    wire_add_part_plugin(copy->data, sizeof(copy->data), &copy->length, plugin);
}

static void copy_buffer(void *owner, const struct wire_domain_buffer *buffer)
{
    struct copy *copy = owner;

    wire_add_part_buffer(copy->data, sizeof(copy->data), &copy->length, buffer);
}

static const struct wire_domain_visitor copier = {
    .part = copy_part,
    .worker = copy_worker,
    .plugin = copy_plugin,
    .buffer = copy_buffer,
};

/* Visits a copy of exactly `length` bytes, so that a sanitizer detects every out-of-bounds read. */
static doca_error_t walk(const uint8_t *bytes, size_t length, struct copy *copy)
{
    uint8_t *exact = malloc(length > 0 ? length : 1);
    doca_error_t status;

    assert_non_null(exact);
    memcpy(exact, bytes, length);
    copy->length = 0;
    status = wire_walk_part((struct wire_bytes){ exact, length }, &copier, copy);
    free(exact);
    return status;
}

static void a_part_is_visited_in_the_order_of_its_bytes(void **state)
{
    uint8_t part[PART_MAX];
    size_t length = make_part(part, sizeof(part));
    struct copy copy;

    (void)state;
    assert_int_equal(walk(part, length, &copy), DOCA_SUCCESS);
    assert_int_equal(copy.length, length);
    assert_memory_equal(copy.data, part, length);
}

static void the_size_of_a_part_is_computed_before_it_is_written(void **state)
{
    uint8_t part[PART_MAX];

    (void)state;
    assert_int_equal(make_part(NULL, SIZE_MAX), make_part(part, sizeof(part)));
}

static void a_part_that_does_not_fit_is_rejected_and_not_written(void **state)
{
    uint8_t part[PART_MAX];
    size_t length = 0;

    (void)state;
    memset(part, 0x5A, sizeof(part));
    assert_int_equal(wire_add_part(part, 7, &length, 1, 0), DOCA_ERROR_TOO_BIG);
    assert_int_equal(wire_add_part_worker(part, 15, &length, 1, 0), DOCA_ERROR_TOO_BIG);
    assert_int_equal(wire_add_part_plugin(part, 29, &length, &sandbox), DOCA_ERROR_TOO_BIG);
    assert_int_equal(wire_add_part_buffer(part, 31, &length, &first), DOCA_ERROR_TOO_BIG);
    assert_int_equal(length, 0);
    assert_int_equal(part[0], 0x5A);
}

static doca_error_t add(unsigned element, uint8_t *part, size_t capacity, size_t *length)
{
    switch (element) {
    case 0:
        return wire_add_part(part, capacity, length, 1, 1);
    case 1:
        return wire_add_part_worker(part, capacity, length, 7, 1);
    case 2:
        return wire_add_part_plugin(part, capacity, length, &sandbox);
    default:
        return wire_add_part_buffer(part, capacity, length, &first);
    }
}

static void each_element_fits_in_exactly_its_size(void **state)
{
    uint8_t part[PART_MAX];

    (void)state;
    for (unsigned element = 0; element < 4; ++element) {
        size_t size = 0, length = 0;

        assert_int_equal(add(element, NULL, PART_MAX, &size), DOCA_SUCCESS);
        assert_int_equal(add(element, part, size - 1, &length), DOCA_ERROR_TOO_BIG);
        assert_int_equal(length, 0);
        assert_int_equal(add(element, part, size, &length), DOCA_SUCCESS);
        assert_int_equal(length, size);
    }
}

static void a_part_of_the_wrong_length_is_rejected_before_it_is_visited(void **state)
{
    uint8_t part[PART_MAX] = { 0 };
    size_t length = make_part(part, sizeof(part));
    struct copy copy;

    (void)state;
    for (size_t cut = 0; cut < length; ++cut) {
        assert_int_equal(walk(part, cut, &copy), DOCA_ERROR_INVALID_VALUE);
        assert_int_equal(copy.length, 0);
    }
    assert_int_equal(walk(part, length + 1, &copy), DOCA_ERROR_INVALID_VALUE);
}

static void assert_change_rejected(size_t offset, const void *bytes, size_t count)
{
    uint8_t part[PART_MAX];
    size_t length = make_part(part, sizeof(part));
    struct copy copy;

    memcpy(part + offset, bytes, count);
    assert_int_equal(walk(part, length, &copy), DOCA_ERROR_INVALID_VALUE);
}

static void a_part_with_a_field_out_of_range_is_rejected(void **state)
{
    static const uint8_t zeros[8];
    static const uint8_t ones[8] = { 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF };
    size_t buffer = 8 + 16 + (8 + 14 + 8) + (8 + 11 + 1) + 16;

    (void)state;
    assert_change_rejected(0, zeros, 4);  /* no workers */
    assert_change_rejected(0, ones, 4);   /* more workers than bytes */
    assert_change_rejected(4, ones, 4);   /* more buffers than bytes */
    assert_change_rejected(20, ones, 1);  /* reserved, after the plugin count of the first worker */
    assert_change_rejected(24, ones, 4);  /* a name longer than the part */
    assert_change_rejected(28, ones, 4);  /* an address longer than the part */
    assert_change_rejected(33, zeros, 1); /* a NUL in a name */
    assert_change_rejected(33, ones, 1);  /* a name that is not UTF-8 */
    assert_change_rejected(buffer + 8, zeros, 8); /* an empty buffer */
    assert_change_rejected(buffer + 8, ones, 8);  /* a buffer that wraps around the address space */
}

static void a_plugin_without_name_or_address_is_rejected(void **state)
{
    const struct wire_domain_plugin plugins[] = {
        { BYTES(""), BYTES("address") },
        { BYTES("worker_rdmo"), BYTES("") },
        { BYTES("a_name_of_48_bytes_that_is_one_byte_more_than_ok!"), BYTES("address") },
    };
    struct copy copy;

    (void)state;
    for (size_t i = 0; i < sizeof(plugins) / sizeof(plugins[0]); ++i) {
        uint8_t part[PART_MAX];
        size_t length = 0;

        wire_add_part(part, sizeof(part), &length, 1, 0);
        wire_add_part_worker(part, sizeof(part), &length, 1, 1);
        wire_add_part_plugin(part, sizeof(part), &length, &plugins[i]);
        assert_int_equal(walk(part, length, &copy), DOCA_ERROR_INVALID_VALUE);
    }
}

static void a_domain_has_the_number_of_parts_in_its_header(void **state)
{
    uint8_t body[WIRE_DOMAIN_HEAD_SIZE + 2 * PART_MAX];
    size_t length = make_part(body + WIRE_DOMAIN_HEAD_SIZE, PART_MAX);
    struct wire_domain_head head = { .key = 0x0123456789ABCDEF, .parts = 2 };
    struct wire_domain_head read;
    struct copy copy = { .length = 0 };

    (void)state;
    make_part(body + WIRE_DOMAIN_HEAD_SIZE + length, PART_MAX);
    wire_put_domain_head(body, &head);
    assert_int_equal(
            wire_walk_domain((struct wire_bytes){ body, WIRE_DOMAIN_HEAD_SIZE + 2 * length }, &read,
                    &copier, &copy),
            DOCA_SUCCESS);
    assert_int_equal(read.key, head.key);
    assert_int_equal(read.parts, 2);
    assert_int_equal(copy.length, 2 * length);
    assert_memory_equal(copy.data, body + WIRE_DOMAIN_HEAD_SIZE, 2 * length);

    assert_int_equal(wire_walk_domain((struct wire_bytes){ body, WIRE_DOMAIN_HEAD_SIZE + length },
                             &read, NULL, NULL),
            DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(wire_walk_domain((struct wire_bytes){ body, WIRE_DOMAIN_HEAD_SIZE - 1 }, &read,
                             NULL, NULL),
            DOCA_ERROR_INVALID_VALUE);
    body[12] = 1;
    assert_int_equal(
            wire_walk_domain((struct wire_bytes){ body, WIRE_DOMAIN_HEAD_SIZE + 2 * length }, &read,
                    NULL, NULL),
            DOCA_ERROR_INVALID_VALUE);
}

static void a_domain_without_parts_ends_it(void **state)
{
    uint8_t body[WIRE_DOMAIN_HEAD_SIZE];
    struct wire_domain_head read;

    (void)state;
    wire_put_domain_head(body, &(struct wire_domain_head){ .key = 3 });
    assert_int_equal(wire_walk_domain((struct wire_bytes){ body, sizeof(body) }, &read, NULL, NULL),
            DOCA_SUCCESS);
    assert_int_equal(read.key, 3);
    assert_int_equal(read.parts, 0);
}

static void an_announcement_is_read_as_written(void **state)
{
    const struct wire_announcement announcement = { 1, 2, 3, 4, 0x89ABCDEF };
    struct wire_announcement read;
    uint8_t data[WIRE_ANNOUNCEMENT_SIZE];

    (void)state;
    wire_put_announcement(data, &announcement);
    assert_int_equal(wire_get_announcement(data, &read), DOCA_SUCCESS);
    assert_memory_equal(&read, &announcement, sizeof(read));

    data[28] = 1;
    assert_int_equal(wire_get_announcement(data, &read), DOCA_ERROR_INVALID_VALUE);
    data[4] = 2;
    assert_int_equal(wire_get_announcement(data, &read), DOCA_ERROR_UNSUPPORTED_VERSION);
    data[0] = 0;
    assert_int_equal(wire_get_announcement(data, &read), DOCA_ERROR_INVALID_VALUE);
}

static void a_verdict_is_read_as_written(void **state)
{
    uint8_t data[WIRE_VERDICT_SIZE];
    doca_error_t verdict;

    (void)state;
    wire_put_verdict(data, DOCA_ERROR_TIME_OUT);
    assert_int_equal(wire_get_verdict(data, &verdict), DOCA_SUCCESS);
    assert_int_equal(verdict, DOCA_ERROR_TIME_OUT);
    data[3] = 0;
    assert_int_equal(wire_get_verdict(data, &verdict), DOCA_ERROR_INVALID_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_part_is_visited_in_the_order_of_its_bytes),
        cmocka_unit_test(the_size_of_a_part_is_computed_before_it_is_written),
        cmocka_unit_test(a_part_that_does_not_fit_is_rejected_and_not_written),
        cmocka_unit_test(each_element_fits_in_exactly_its_size),
        cmocka_unit_test(a_part_of_the_wrong_length_is_rejected_before_it_is_visited),
        cmocka_unit_test(a_part_with_a_field_out_of_range_is_rejected),
        cmocka_unit_test(a_plugin_without_name_or_address_is_rejected),
        cmocka_unit_test(a_domain_has_the_number_of_parts_in_its_header),
        cmocka_unit_test(a_domain_without_parts_ends_it),
        cmocka_unit_test(an_announcement_is_read_as_written),
        cmocka_unit_test(a_verdict_is_read_as_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
