/* SPDX-License-Identifier: Apache-2.0 */
/* Two ends of a channel over rings, in one thread, over a real Unix socket. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "fixture.h"

#define IDLE_POLLS 1000000 /* enough for several checks of the socket */

static unsigned failing_sends;

/* Replaces the C library's function, and fails as often as a test requests. */
ssize_t send(int fd, const void *bytes, size_t length, int flags)
{
    if (failing_sends == 0)
        return sendto(fd, bytes, length, flags, NULL, 0);
    --failing_sends;
    errno = ENOBUFS;
    return -1;
}

static int set_up(void **state)
{
    failing_sends = 0;
    meeting_open(&fixture.meeting);
    meeting_connect(&fixture.meeting, &fixture.host, &fixture.worker, LARGE_MAX);
    *state = &fixture;
    return 0;
}

static void frames_of_all_lengths_arrive_both_ways_at_once(void **state)
{
    static const size_t lengths[] = { 24, 25, 31, 32, 88, 1000, 4096, 65531, 65532, 65533, 65536,
        100000, 262144, 1048576, 4194304 };
    struct peer *host = &fixture.host;
    struct peer *worker = &fixture.worker;

    (void)state;
    for (unsigned round = 0; round < 3; ++round) {
        for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); ++i) {
            doca_error_t status = peer_send(host, lengths[i]);

            assert_true(status == DOCA_SUCCESS || status == DOCA_ERROR_IN_PROGRESS);
            status = peer_send(worker, lengths[i]);
            assert_true(status == DOCA_SUCCESS || status == DOCA_ERROR_IN_PROGRESS);
        }
    }
    channel_push(host->channel);
    channel_push(worker->channel);

    poll_until(host->received == worker->sent && worker->received == host->sent, host, worker);
    assert_int_equal(host->sent, host->done);
    assert_int_equal(0, channel_waiting(host->channel));
}

static void messages_wait_for_room_in_order(void **state)
{
    struct peer *host = &fixture.host;
    struct peer *worker = &fixture.worker;
    doca_error_t status = DOCA_SUCCESS;

    (void)state;
    while (status == DOCA_SUCCESS)
        status = peer_send(host, 3000);
    assert_status(DOCA_ERROR_IN_PROGRESS, status);
    assert_status(DOCA_ERROR_IN_PROGRESS, peer_send(host, 30));
    assert_success(peer_send_control(host, 77));
    assert_true(channel_waiting(host->channel) > 30);

    poll_until(worker->controls == 1, host, worker);
    assert_int_equal(77, worker->last_control);
    assert_int_equal(host->sent, worker->received);
    assert_int_equal(host->sent, host->done);
}

static void small_messages_are_seen_when_pushed(void **state)
{
    struct peer *host = &fixture.host;
    struct peer *worker = &fixture.worker;

    (void)state;
    assert_success(peer_send(host, 88));
    assert_int_equal(0, channel_poll(worker->channel, 8));

    channel_push(host->channel);
    assert_int_equal(1, channel_poll(worker->channel, 8));
    assert_int_equal(1, worker->received);
}

static bool is_readable(const struct peer *peer)
{
    struct pollfd fd = { .fd = channel_descriptor(peer->channel), .events = POLLIN };

    return poll(&fd, 1, 0) == 1;
}

static void a_sleeper_is_woken_by_data_and_by_room(void **state)
{
    struct peer *host = &fixture.host;
    struct peer *worker = &fixture.worker;

    (void)state;
    assert_success(channel_arm(worker->channel, true));
    assert_false(is_readable(worker));
    while (peer_send(host, 50000) == DOCA_SUCCESS)
        ;
    assert_true(is_readable(worker));
    assert_status(DOCA_ERROR_AGAIN, channel_arm(worker->channel, true));
    assert_success(channel_arm(host->channel, true));
    assert_false(is_readable(host));

    while (worker->received < 15)
        channel_poll(worker->channel, 1);
    assert_true(is_readable(host));
    poll_until(worker->received == host->sent, host, worker);
}

static void a_sleeper_is_woken_though_the_kernel_had_no_memory_at_first(void **state)
{
    struct peer *host = &fixture.host;
    struct peer *worker = &fixture.worker;

    (void)state;
    assert_success(channel_arm(worker->channel, true));
    failing_sends = 2;
    assert_success(peer_send(host, 88));
    channel_push(host->channel);
    assert_false(channel_peer_disconnected(host->channel));
    assert_false(is_readable(worker));

    assert_status(DOCA_ERROR_AGAIN, channel_arm(host->channel, true));
    channel_poll(host->channel, 8);
    assert_true(is_readable(worker));
    poll_until(worker->received == 1, host, worker);
}

static void what_is_sent_after_arming_wakes_when_there_is_room(void **state)
{
    struct peer *host = &fixture.host;
    struct peer *worker = &fixture.worker;

    (void)state;
    assert_success(channel_arm(host->channel, true));
    while (peer_send(host, 50000) == DOCA_SUCCESS)
        ;
    assert_false(is_readable(host));

    while (worker->received < 15)
        channel_poll(worker->channel, 1);
    assert_true(is_readable(host));
    poll_until(worker->received == host->sent, host, worker);
}

static void a_reader_that_wants_nothing_sleeps_on(void **state)
{
    struct peer *host = &fixture.host;
    struct peer *worker = &fixture.worker;

    (void)state;
    assert_success(channel_arm(worker->channel, false));
    assert_success(peer_send(host, 88));
    channel_push(host->channel);
    assert_false(is_readable(worker));
    assert_int_equal(0, channel_poll(worker->channel, 0));
    assert_success(channel_arm(worker->channel, false));

    assert_status(DOCA_ERROR_AGAIN, channel_arm(worker->channel, true));
    assert_int_equal(1, channel_poll(worker->channel, 1));
}

static void what_was_sent_before_the_end_is_received(void **state)
{
    struct peer *host = &fixture.host;
    struct peer *worker = &fixture.worker;

    (void)state;
    for (unsigned i = 0; i < 20; ++i)
        assert_success(peer_send(host, 100));
    peer_close(host);

    poll_until(channel_status(worker->channel) != DOCA_SUCCESS, worker);
    assert_status(DOCA_ERROR_CONNECTION_RESET, channel_status(worker->channel));
    assert_int_equal(20, worker->received);
    assert_status(DOCA_ERROR_CONNECTION_RESET, peer_send(worker, 100));
    assert_status(DOCA_ERROR_CONNECTION_RESET, channel_arm(worker->channel, true));
}

static void a_stopped_reader_detects_a_disconnected_peer(void **state)
{
    struct peer *host = &fixture.host;
    struct peer *worker = &fixture.worker;

    (void)state;
    assert_success(channel_arm(worker->channel, false));
    assert_success(peer_send(host, 100));
    peer_close(host);

    assert_true(is_readable(worker));
    assert_true(channel_poll(worker->channel, 0) > 0);
    assert_true(channel_peer_disconnected(worker->channel));
    channel_poll(worker->channel, 0);
    assert_status(DOCA_ERROR_CONNECTION_RESET, channel_status(worker->channel));
    assert_int_equal(0, worker->received);
}

static void a_sender_without_room_detects_a_disconnected_peer(void **state)
{
    struct peer *host = &fixture.host;
    doca_error_t status = DOCA_SUCCESS;

    (void)state;
    while (status == DOCA_SUCCESS)
        status = peer_send(host, 3000);
    assert_status(DOCA_ERROR_IN_PROGRESS, status);

    peer_close(&fixture.worker);

    poll_until(channel_status(host->channel) == DOCA_ERROR_CONNECTION_RESET, host);
    assert_true(channel_waiting(host->channel) > 0);
}

static void an_unfinished_payload_is_abandoned_or_dropped(void **state)
{
    struct peer *host = &fixture.host;
    struct peer *worker = &fixture.worker;
    void *place;

    (void)state;
    assert_status(DOCA_ERROR_IN_PROGRESS, peer_send(host, 2 * 1048576));
    poll_until(worker->place != NULL, worker);
    place = worker->place;
    channel_drop_payload(worker->channel, place);
    free(place);
    worker->place = NULL;
    ++worker->received;
    assert_status(DOCA_ERROR_IN_PROGRESS, peer_send(host, 4194304));
    poll_until(worker->place != NULL, host, worker);

    peer_close(worker);
    assert_int_equal(1, worker->abandoned);
    assert_int_equal(1, worker->received);
}

static void payloads_without_a_place_are_dropped(void **state)
{
    struct peer *host = &fixture.host;
    struct peer *worker = &fixture.worker;

    (void)state;
    worker->refuses = true;
    peer_send(host, 100);
    peer_send(host, 2 * 1048576);
    peer_send_control(host, 5);

    poll_until(worker->controls == 1, host, worker);
    assert_int_equal(2, worker->dropped);
    worker->refuses = false;
    peer_send(host, 300000);
    poll_until(worker->received == 1, host, worker);
}

/* A thread that waits in the kernel gives up its processor voluntarily. */
static void polling_an_idle_channel_does_not_wait(void **state)
{
    struct rusage before, after;

    (void)state;
    assert_int_equal(0, getrusage(RUSAGE_THREAD, &before));
    for (unsigned i = 0; i < IDLE_POLLS; ++i)
        channel_poll(fixture.host.channel, 8);
    assert_int_equal(0, getrusage(RUSAGE_THREAD, &after));

    assert_int_equal(before.ru_nvcsw, after.ru_nvcsw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
                frames_of_all_lengths_arrive_both_ways_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(messages_wait_for_room_in_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(small_messages_are_seen_when_pushed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_sleeper_is_woken_by_data_and_by_room, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_sleeper_is_woken_though_the_kernel_had_no_memory_at_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                what_is_sent_after_arming_wakes_when_there_is_room, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_reader_that_wants_nothing_sleeps_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                what_was_sent_before_the_end_is_received, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_stopped_reader_detects_a_disconnected_peer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_sender_without_room_detects_a_disconnected_peer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                an_unfinished_payload_is_abandoned_or_dropped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(payloads_without_a_place_are_dropped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(polling_an_idle_channel_does_not_wait, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
