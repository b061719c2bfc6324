/* SPDX-License-Identifier: Apache-2.0 */
/* A single ring: records arrive unchanged, and invalid writes of a peer break only the ring. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <channel/ring_memory.h>
#include <testing/assertions.h>
#include <testing/process.h>

#define CAPACITY 16384
#define STEPS 200000
#define WORD_LAST 0x80000000u

struct fixture {
    struct ring_memory memory;
    struct ring_producer producer;
    struct ring_consumer consumer;
    uint64_t random;
};

static struct fixture fixture;

static int set_up(void **state)
{
    int fd;

    (void)state;
    fixture = (struct fixture){ .random = 88172645463325252u };
    assert_success(ring_memory_create(CAPACITY, &fixture.memory, &fd));
    close(fd);
    ring_producer_init(&fixture.producer, &fixture.memory.rings[1]);
    ring_consumer_init(&fixture.consumer, &fixture.memory.rings[1]);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ring_memory_free(&fixture.memory);
    return 0;
}

/* If a page were allocated on first use, a lack of memory would kill the process. */
static void all_pages_of_the_memory_are_taken_when_it_is_made(void **state)
{
    struct ring_memory memory;
    struct stat status;
    int fd;

    (void)state;
    assert_success(ring_memory_create(CAPACITY, &memory, &fd));
    assert_int_equal(0, fstat(fd, &status));
    assert_true(status.st_blocks * 512 >= status.st_size);
    close(fd);
    ring_memory_free(&memory);
}

/* xorshift, with the same numbers in each run. */
static uint64_t number_below(uint64_t limit)
{
    fixture.random ^= fixture.random << 13;
    fixture.random ^= fixture.random >> 7;
    fixture.random ^= fixture.random << 17;
    return fixture.random % limit;
}

static uint8_t byte_of(uint64_t record, size_t at)
{
    return (uint8_t)(record * 17 + at * 3 + at / 255);
}

/* Returns false if there is no room. */
static bool put(uint64_t record, size_t length)
{
    uint8_t *place = ring_reserve(&fixture.producer, length);
    uint8_t *bytes;

    if (place == NULL)
        return false;
    bytes = malloc(length);
    for (size_t i = 0; i < length; ++i)
        bytes[i] = byte_of(record, i);
    ring_copy(place, bytes, length);
    free(bytes);
    ring_commit(&fixture.producer, length);
    return true;
}

/* Returns false if there is no record. */
static bool take(uint64_t record, size_t expected)
{
    size_t length = 0;
    const uint8_t *bytes = ring_peek(&fixture.consumer, &length);

    if (bytes == NULL)
        return false;
    assert_int_equal(expected, length);
    for (size_t i = 0; i < length; ++i) {
        if (bytes[i] != byte_of(record, i))
            fail_msg("byte %zu of record %llu", i, (unsigned long long)record);
    }
    ring_take(&fixture.consumer);
    return true;
}

static size_t any_length(void)
{
    size_t most = fixture.producer.ring.record_max;

    return 1 + number_below(number_below(4) == 0 ? most : 200);
}

static void records_come_out_as_they_went_in(void **state)
{
    static size_t lengths[CAPACITY]; /* of the records in the ring, by number */
    uint64_t put_so_far = 0, published = 0, taken = 0;

    (void)state;
    for (unsigned step = 0; step < STEPS; ++step) {
        size_t length = any_length();

        switch (number_below(4)) {
        case 0:
        case 1:
            lengths[put_so_far % CAPACITY] = length;
            put_so_far += put(put_so_far, length);
            break;
        case 2:
            ring_publish(&fixture.producer);
            published = put_so_far;
            break;
        default:
            if (taken < published)
                assert_true(take(taken, lengths[taken % CAPACITY]));
            else
                assert_false(take(taken, 0));
            taken += taken < published;
        }
    }
    assert_true(taken > STEPS / 8);
    assert_false(fixture.producer.broken || fixture.consumer.broken);
}

static void a_full_ring_takes_more_when_some_was_taken(void **state)
{
    size_t length = fixture.producer.ring.record_max;
    uint64_t count = 0, taken = 0;

    (void)state;
    while (put(count, length)) {
        ring_publish(&fixture.producer);
        ++count;
    }
    assert_int_equal(3, count); /* each a quarter of the ring; a line stays free */
    assert_true(ring_sleep_for_room(&fixture.producer, length));
    assert_true(take(taken++, length));
    assert_int_equal(0, fixture.memory.rings[1].control->producer_sleeps);
    assert_false(ring_sleep_for_room(&fixture.producer, length));

    assert_true(put(count, length));
    ring_publish(&fixture.producer);
    while (taken <= count)
        assert_true(take(taken++, length));
}

static void a_sleeping_consumer_is_woken_once(void **state)
{
    (void)state;
    assert_true(ring_sleep_for_data(&fixture.consumer));
    assert_true(put(0, 8));
    assert_true(ring_publish(&fixture.producer));
    assert_false(ring_sleep_for_data(&fixture.consumer));
    assert_true(put(1, 8));
    assert_false(ring_publish(&fixture.producer));
    assert_true(take(0, 8));
    assert_true(take(1, 8));
}

static void a_position_that_no_consumer_can_have_breaks_the_ring(void **state)
{
    struct ring_control *control = fixture.memory.rings[1].control;

    (void)state;
    while (put(0, 1000))
        ;
    ring_publish(&fixture.producer);
    control->consumed = fixture.producer.published + 1;
    assert_false(put(0, 1000));
    assert_true(fixture.producer.broken);
}

static void a_position_that_goes_back_breaks_the_ring(void **state)
{
    struct ring_control *control = fixture.memory.rings[1].control;

    (void)state;
    while (put(0, 1000))
        ;
    ring_publish(&fixture.producer);
    control->consumed = 4096;
    assert_true(put(0, 1000));
    control->consumed = 4032;
    while (put(0, 1000))
        ;
    assert_true(fixture.producer.broken);
}

static void assert_word_is_refused(uint32_t word)
{
    size_t length;

    memcpy(fixture.memory.rings[1].data, &word, sizeof(word));
    assert_null(ring_peek(&fixture.consumer, &length));
    assert_true(fixture.consumer.broken);
    assert_false(ring_sleep_for_data(&fixture.consumer));
}

static void a_record_longer_than_records_are_breaks_the_ring(void **state)
{
    (void)state;
    assert_word_is_refused((uint32_t)fixture.memory.rings[1].record_max + 1);
}

static void a_record_without_bytes_breaks_the_ring(void **state)
{
    (void)state;
    assert_word_is_refused(WORD_LAST);
}

static void a_publication_that_does_not_go_on_breaks_the_ring(void **state)
{
    uint32_t word = 8; /* and not the last */
    size_t length;

    (void)state;
    memcpy(fixture.memory.rings[1].data, &word, sizeof(word));
    assert_non_null(ring_peek(&fixture.consumer, &length));
    ring_take(&fixture.consumer);
    assert_null(ring_peek(&fixture.consumer, &length));
    assert_true(fixture.consumer.broken);
}

/* The rows of the table in docs/wire.md begin with the offset of the field. */
static void assert_on_page(const char *page, size_t offset, const char *field)
{
    char row[128];

    snprintf(row, sizeof(row), "\n| %zu | %s", offset, field);
    if (strstr(page, row) == NULL)
        fail_msg("docs/wire.md has no row%s", row);
}

static void a_record_and_the_controls_lie_where_the_page_says(void **state)
{
    char *page = read_text(WIRE_PAGE);
    const uint8_t *data = fixture.memory.rings[1].data;
    const uint8_t *bytes;
    uint32_t word;

    (void)state;
    assert_true(put(1, 3));
    ring_publish(&fixture.producer);
    memcpy(&word, data, sizeof(word));
    bytes = memchr(data + sizeof(word), byte_of(1, 0), CAPACITY - sizeof(word));

    assert_int_equal(WORD_LAST | 3, word);
    assert_non_null(bytes);
    assert_on_page(page, 0, "u32 | word:");
    assert_on_page(page, (size_t)(bytes - data), "| the bytes:");
    assert_on_page(page, offsetof(struct ring_control, consumed), "u64 | position of the");
    assert_on_page(page, offsetof(struct ring_control, consumer_sleeps), "u32 | the consumer");
    assert_on_page(page, offsetof(struct ring_control, consumer_fences), "u32 | before it sleeps");
    assert_on_page(page, offsetof(struct ring_control, producer_sleeps), "u32 | the producer");
    free(page);
}

static void random_bytes_are_read_within_the_ring(void **state)
{
    struct ring *ring = &fixture.memory.rings[1];
    volatile uint8_t sum = 0;
    size_t length;

    (void)state;
    for (unsigned round = 0; round < 2000; ++round) {
        ring_consumer_init(&fixture.consumer, ring);
        fixture.consumer.position = fixture.consumer.released = number_below(1u << 20) & ~63u;
        for (size_t i = 0; i < CAPACITY; i += 8)
            *(uint32_t *)(void *)(ring->data + i) = (uint32_t)number_below(ring->record_max + 2)
                    | (number_below(2) ? WORD_LAST : 0);
        for (unsigned i = 0; i < 64; ++i) {
            const uint8_t *bytes = ring_peek(&fixture.consumer, &length);

            if (bytes == NULL)
                break;
            for (size_t k = 0; k < length; ++k)
                sum += bytes[k];
            ring_take(&fixture.consumer);
        }
    }
    (void)sum;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pages_of_the_memory_are_taken_when_it_is_made),
        cmocka_unit_test_setup_teardown(records_come_out_as_they_went_in, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_full_ring_takes_more_when_some_was_taken, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_sleeping_consumer_is_woken_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_position_that_no_consumer_can_have_breaks_the_ring, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_position_that_goes_back_breaks_the_ring, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_record_longer_than_records_are_breaks_the_ring, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_record_without_bytes_breaks_the_ring, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_publication_that_does_not_go_on_breaks_the_ring, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_record_and_the_controls_lie_where_the_page_says, set_up, tear_down),
        cmocka_unit_test_setup_teardown(random_bytes_are_read_within_the_ring, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
