/* SPDX-License-Identifier: Apache-2.0 */
/* Hosts with a valid ticket that send malformed greetings to a worker. */
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <channel/libraries.h>
#include <channel/ucx.h>
#include <wire/bytes.h>

#include "../channel/peer.h"

static struct meeting meeting;
static struct peer worker;
static const struct tls_library *tls;
static struct tls_session *session;
static int fd;

static int set_up(void **state)
{
    char reason[256] = "";

    (void)state;
    meeting_open_remote(&meeting);
    meeting.data = CHANNEL_DATA_UCX;
    peer_init(&worker, 1);
    tls = tls_library_load(reason, sizeof(reason));
    assert_non_null(tls);
    fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(0,
            connect(fd, (struct sockaddr *)&meeting.address.socket, meeting.address.socket_length));
    assert_int_equal(0, fcntl(fd, F_SETFL, O_NONBLOCK));
    assert_success(meeting_accept(&meeting, &worker, SMALL_MAX));
    assert_success(tls->connect_ticket(fd, worker.ticket.id, WIRE_TICKET_ID_SIZE, worker.ticket.key,
            WIRE_TICKET_KEY_SIZE, &session));
    await((channel_poll(worker.channel, 8), tls->handshake(session, reason)) == DOCA_SUCCESS,
            PEER_MS);
    return 0;
}

static void leave(void)
{
    if (session != NULL)
        tls->close(session);
    if (fd >= 0)
        close(fd);
    session = NULL;
    fd = -1;
}

static int tear_down(void **state)
{
    (void)state;
    leave();
    peer_close(&worker);
    meeting_close(&meeting);
    return 0;
}

static void greet(const void *bytes, size_t length)
{
    size_t done = 0;

    assert_success(tls->write(session, bytes, length, &done));
    assert_int_equal(length, done);
}

static void greet_with_length(uint32_t length)
{
    uint8_t head[4];

    store_u32(head, length);
    greet(head, sizeof(head));
}

static void assert_ends(doca_error_t expected)
{
    poll_until(channel_status(worker.channel) != DOCA_ERROR_IN_PROGRESS, &worker);
    assert_status(expected, channel_status(worker.channel));
    assert_true(strlen(channel_reason(worker.channel)) > 0);
}

static void an_address_that_is_too_long_is_rejected(void **state)
{
    (void)state;
    greet_with_length(UCX_ADDRESS_MAX + 1);
    assert_ends(DOCA_ERROR_UNEXPECTED);
}

static void a_host_that_disconnects_during_the_greeting_leaks_nothing(void **state)
{
    (void)state;
    greet_with_length(100);
    greet("half of it", 10);
    leave();
    assert_ends(DOCA_ERROR_CONNECTION_RESET);
}

static void a_host_without_a_greeting_is_not_accepted(void **state)
{
    (void)state;
    greet_with_length(100);
    for (unsigned i = 0; i < 1000; ++i)
        channel_poll(worker.channel, 8);
    assert_status(DOCA_ERROR_IN_PROGRESS, channel_status(worker.channel));
}

static void a_host_that_selects_tls_is_accepted(void **state)
{
    struct wire_frame frame = { .type = WIRE_ATTACH, .request_id = 5, .attach = { 1 } };
    uint8_t bytes[64];
    size_t length;

    (void)state;
    assert_success(wire_encode(&frame, bytes, sizeof(bytes), &length));
    greet_with_length(0);
    greet(bytes, length);
    poll_until(worker.controls == 1, &worker);
    assert_int_equal(5, worker.last_control);
}

int main(void)
{
#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        test(an_address_that_is_too_long_is_rejected),
        test(a_host_that_disconnects_during_the_greeting_leaks_nothing),
        test(a_host_without_a_greeting_is_not_accepted),
        test(a_host_that_selects_tls_is_accepted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
