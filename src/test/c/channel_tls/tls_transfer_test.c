/* SPDX-License-Identifier: Apache-2.0 */
/* Transfer of many bytes, in pieces, and with a full or empty socket. */
#include "cmocka_all.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "fixture.h"

#define TRANSFER (2 * 1024 * 1024) /* bytes in each direction */
#define RECORD_MAX 16384

static int set_up_small(void **state)
{
    (void)state;
    parties_open_small(&host, &worker);
    parties_open_with_ticket(&host, &worker, &authenticator);
    return 0;
}

static uint8_t pattern(size_t position)
{
    return (uint8_t)(position * 7 + (position >> 9));
}

/* One direction. The buffer moves between writes, and new bytes are appended. */
struct flow {
    struct party *from, *to;
    size_t sent, received;
    unsigned refusals; /* number of writes that returned AGAIN */
    size_t piece;
};

static void write_some(struct flow *flow)
{
    size_t length = flow->piece < TRANSFER - flow->sent ? flow->piece : TRANSFER - flow->sent;
    uint8_t *bytes = malloc(length + 1);
    doca_error_t status;
    size_t count;

    for (size_t i = 0; i < length; ++i)
        bytes[i] = pattern(flow->sent + i);
    status = tls->write(flow->from->session, bytes, length, &count);
    free(bytes);
    assert_true(status == DOCA_SUCCESS || status == DOCA_ERROR_AGAIN);
    assert_int_equal(status == DOCA_ERROR_AGAIN, tls->wants_write(flow->from->session));
    flow->sent += count;
    if (status == DOCA_ERROR_AGAIN) {
        ++flow->refusals;
        flow->piece += 1000;
    }
}

static void read_some(struct flow *flow)
{
    static uint8_t bytes[30000], expected[30000];
    doca_error_t status;
    size_t count;

    status = tls->read(flow->to->session, bytes, sizeof(bytes), &count);
    assert_true(status == DOCA_SUCCESS || status == DOCA_ERROR_AGAIN);
    for (size_t i = 0; i < count; ++i)
        expected[i] = pattern(flow->received + i);
    assert_memory_equal(expected, bytes, count);
    flow->received += count;
}

static bool is_done(const struct flow *flow)
{
    return flow->received == TRANSFER;
}

static void much_goes_both_ways_through_small_buffers(void **state)
{
    struct flow there = { .from = &host, .to = &worker, .piece = 3000 };
    struct flow back = { .from = &worker, .to = &host, .piece = 50000 };
    long long deadline = 0;

    (void)state;
    while ((!is_done(&there) || !is_done(&back)) && before_deadline(&deadline)) {
        for (int i = 0; i < 3; ++i) {
            write_some(&there);
            write_some(&back);
        }
        read_some(&there);
        read_some(&back);
    }

    assert_true(is_done(&there) && is_done(&back));
    assert_int_not_equal(0, there.refusals);
    assert_int_not_equal(0, back.refusals);
}

static void a_write_that_waits_says_so_until_it_is_done(void **state)
{
    static uint8_t bytes[RECORD_MAX], sink[RECORD_MAX];
    doca_error_t status = DOCA_SUCCESS;
    size_t count;

    (void)state;
    while (status == DOCA_SUCCESS) {
        assert_false(tls->wants_write(host.session));
        status = tls->write(host.session, bytes, sizeof(bytes), &count);
    }
    assert_int_equal(DOCA_ERROR_AGAIN, status);
    assert_int_equal(DOCA_ERROR_AGAIN, tls->read(host.session, sink, sizeof(sink), &count));
    assert_true(tls->wants_write(host.session));

    while (status == DOCA_ERROR_AGAIN) {
        tls->read(worker.session, sink, sizeof(sink), &count);
        status = tls->write(host.session, bytes, sizeof(bytes), &count);
    }
    assert_int_equal(DOCA_SUCCESS, status);
    assert_false(tls->wants_write(host.session));
}

static void data_read_ahead_is_reported_until_it_is_read(void **state)
{
    uint8_t bytes[64] = { 1 };
    size_t count;

    (void)state;
    assert_false(tls->has_read(worker.session));
    party_write(&host, bytes, sizeof(bytes));
    party_write(&host, bytes, sizeof(bytes));
    party_read(&worker, bytes, 1);
    assert_true(tls->has_read(worker.session));

    party_read(&worker, bytes, sizeof(bytes) - 1);
    party_read(&worker, bytes, sizeof(bytes));
    tls->read(worker.session, bytes, sizeof(bytes), &count);
    assert_int_equal(0, count);
    assert_false(tls->has_read(worker.session));
}

static void wait_readable(const struct party *party)
{
    struct pollfd readable = { .fd = party->fd, .events = POLLIN };

    assert_int_equal(1, poll(&readable, 1, DEADLINE_MS));
}

/* Otherwise, a caller that waits for the rest of the record would busy-wait. */
static void a_part_of_a_record_is_nothing_to_read(void **state)
{
    uint8_t bytes[64] = { 0 }, cipher[256];
    ssize_t length;
    size_t count;

    (void)state;
    party_write(&host, bytes, sizeof(bytes));
    wait_readable(&worker);
    length = recv(worker.fd, cipher, sizeof(cipher), 0);
    assert_true(length > 64);
    assert_int_equal(10, send(host.fd, cipher, 10, 0));
    wait_readable(&worker);

    assert_int_equal(DOCA_ERROR_AGAIN, tls->read(worker.session, bytes, sizeof(bytes), &count));
    assert_false(tls->has_read(worker.session));
    assert_int_equal(length - 10, send(host.fd, cipher + 10, (size_t)length - 10, 0));
    party_read(&worker, bytes, sizeof(bytes));
}

static void nothing_may_be_read_or_written(void **state)
{
    uint8_t byte = 0;
    size_t count = 1;

    (void)state;
    assert_int_equal(DOCA_SUCCESS, tls->write(host.session, &byte, 0, &count));
    assert_int_equal(0, count);
    assert_int_equal(DOCA_SUCCESS, tls->read(host.session, &byte, 0, &count));
    assert_int_equal(DOCA_ERROR_AGAIN, tls->read(host.session, &byte, 1, &count));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
                much_goes_both_ways_through_small_buffers, set_up_small, tear_down),
        cmocka_unit_test_setup_teardown(
                a_write_that_waits_says_so_until_it_is_done, set_up_small, tear_down),
        cmocka_unit_test_setup_teardown(
                data_read_ahead_is_reported_until_it_is_read, set_up_open, tear_down),
        cmocka_unit_test_setup_teardown(
                a_part_of_a_record_is_nothing_to_read, set_up_open, tear_down),
        cmocka_unit_test_setup_teardown(nothing_may_be_read_or_written, set_up_open, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
