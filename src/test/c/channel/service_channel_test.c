/* SPDX-License-Identifier: Apache-2.0 */
/* A channel to a service over a Unix socket. The test plays the service with system calls. */
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "peer.h"

struct fixture {
    struct meeting meeting;
    struct peer host;
    int service; /* the service's end of the connection */
};

static struct fixture fixture;

static int set_up(void **state)
{
    struct channel_settings settings = { .receiver = &fixture.host.receiver,
        .max_message_size = LARGE_MAX };

    (void)state;
    meeting_open(&fixture.meeting);
    peer_init(&fixture.host, 1);
    assert_success(channel_connect_service(
            &fixture.meeting.address, NULL, &settings, &fixture.host.channel));
    assert_success(channel_status(fixture.host.channel));
    fixture.service = accept(fixture.meeting.listener, NULL, NULL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    peer_close(&fixture.host);
    if (fixture.service >= 0)
        close(fixture.service);
    meeting_close(&fixture.meeting);
    return 0;
}

/* Sends back at most `most` of the received bytes. */
static void echo(size_t most)
{
    static uint8_t held[200000];
    static size_t start, end;
    ssize_t moved;

    if (start == end) {
        start = end = 0;
        moved = recv(fixture.service, held, sizeof(held), MSG_DONTWAIT);
        end = moved > 0 ? (size_t)moved : 0;
    }
    if (start < end) {
        moved = send(fixture.service, held + start, end - start < most ? end - start : most,
                MSG_DONTWAIT);
        start += moved > 0 ? (size_t)moved : 0;
    }
}

static void frames_come_whole_from_whatever_pieces(void **state)
{
    static const size_t pieces[] = { 1, 7, 16, 23, 100 };
    struct peer *host = &fixture.host;

    (void)state;
    for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); ++i) {
        uint64_t before = host->received;

        for (unsigned k = 0; k < 5; ++k)
            assert_success(peer_send(host, 24 + k * 31));
        assert_success(peer_send_control(host, i));
        await((echo(pieces[i]), channel_poll(host->channel, 8), host->controls) == i + 1, PEER_MS);
        assert_int_equal(before + 5, host->received);
        assert_int_equal(i, host->last_control);
    }
}

static void long_messages_go_both_ways(void **state)
{
    struct peer *host = &fixture.host;

    (void)state;
    assert_status(DOCA_ERROR_IN_PROGRESS, peer_send(host, 4194304));
    assert_status(DOCA_ERROR_IN_PROGRESS, peer_send(host, 5000));
    await((echo(200000), channel_poll(host->channel, 8), host->received) == 2, PEER_MS);
    assert_int_equal(2, host->done);
    assert_int_equal(0, channel_waiting(host->channel));
}

static void frames_that_are_ready_together_leave_in_one_write(void **state)
{
    struct peer *host = &fixture.host;
    uint8_t bytes[65536];

    (void)state;
    for (unsigned i = 0; i < 10; ++i)
        assert_success(peer_send(host, 100));
    assert_int_equal(-1, recv(fixture.service, bytes, sizeof(bytes), MSG_DONTWAIT));
    channel_push(host->channel);
    assert_int_equal(1000, recv(fixture.service, bytes, sizeof(bytes), MSG_DONTWAIT));
}

static bool is_readable(void)
{
    struct pollfd fd = { .fd = channel_descriptor(fixture.host.channel), .events = POLLIN };

    return poll(&fd, 1, 0) == 1;
}

static void it_sleeps_until_there_are_bytes_or_room(void **state)
{
    struct peer *host = &fixture.host;

    (void)state;
    assert_success(channel_arm(host->channel, true));
    assert_false(is_readable());
    assert_status(DOCA_ERROR_IN_PROGRESS, peer_send(host, 3000000));
    assert_success(channel_arm(host->channel, true));
    assert_false(is_readable());

    await((echo(200000), is_readable()), PEER_MS);
    await((echo(200000), channel_poll(host->channel, 8), host->received) == 1, PEER_MS);
}

static void the_end_is_reported_after_all_data(void **state)
{
    struct peer *host = &fixture.host;

    (void)state;
    for (unsigned i = 0; i < 20; ++i)
        assert_success(peer_send(host, 100));
    channel_push(host->channel);
    echo(2000);
    close(fixture.service);
    fixture.service = -1;

    assert_int_equal(8, channel_poll(host->channel, 8));
    assert_status(DOCA_ERROR_AGAIN, channel_arm(host->channel, true));
    poll_until(channel_status(host->channel) != DOCA_SUCCESS, host);
    assert_int_equal(20, host->received);
    assert_status(DOCA_ERROR_CONNECTION_RESET, channel_status(host->channel));
    assert_false(is_readable()); /* an application may close it later */
}

static void a_stopped_reader_detects_a_disconnected_service(void **state)
{
    struct peer *host = &fixture.host;

    (void)state;
    assert_success(channel_arm(host->channel, false));
    close(fixture.service);
    fixture.service = -1;
    assert_true(is_readable());
    assert_true(channel_poll(host->channel, 0) > 0);
    assert_status(DOCA_ERROR_CONNECTION_RESET, channel_status(host->channel));
}

static void assert_ends_after(const uint8_t *bytes, size_t length, doca_error_t status)
{
    struct peer *host = &fixture.host;

    assert_int_equal(length, send(fixture.service, bytes, length, 0));
    poll_until(channel_status(host->channel) != DOCA_SUCCESS, host);
    assert_status(status, channel_status(host->channel));
}

static void bytes_that_are_no_frame_end_it(void **state)
{
    static const uint8_t bytes[WIRE_PREFIX_SIZE] = "HTTP/1.1 400 Bad Reques";

    (void)state;
    assert_ends_after(bytes, sizeof(bytes), DOCA_ERROR_UNEXPECTED);
}

static void another_version_ends_it(void **state)
{
    uint8_t bytes[WIRE_PREFIX_SIZE];

    (void)state;
    wire_put_command(bytes, 0, 0, 0);
    bytes[2] = 1;
    assert_ends_after(bytes, sizeof(bytes), DOCA_ERROR_UNSUPPORTED_VERSION);
}

static void a_message_over_the_limit_ends_it(void **state)
{
    uint8_t bytes[WIRE_PREFIX_SIZE];

    (void)state;
    wire_put_command(bytes, 0, 0, LARGE_MAX);
    assert_ends_after(bytes, sizeof(bytes), DOCA_ERROR_UNEXPECTED);
}

static void a_command_shorter_than_its_beginning_ends_it(void **state)
{
    uint8_t bytes[WIRE_PREFIX_SIZE];

    (void)state;
    wire_put_command(bytes, 0, 0, 0);
    bytes[4] = 4; /* of its body: half a plugin id */
    assert_ends_after(bytes, sizeof(bytes), DOCA_ERROR_UNEXPECTED);
}

#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(frames_come_whole_from_whatever_pieces),
        test(long_messages_go_both_ways),
        test(frames_that_are_ready_together_leave_in_one_write),
        test(it_sleeps_until_there_are_bytes_or_room),
        test(the_end_is_reported_after_all_data),
        test(a_stopped_reader_detects_a_disconnected_service),
        test(bytes_that_are_no_frame_end_it),
        test(another_version_ends_it),
        test(a_message_over_the_limit_ends_it),
        test(a_command_shorter_than_its_beginning_ends_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
