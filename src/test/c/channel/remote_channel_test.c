/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Both ends of a channel between machines, in one thread: over TLS, with the real and a fake
 * library, and over UCX.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#include <testing/logged.h>

#include "fixture.h"

#ifndef DATA
#define DATA CHANNEL_DATA_TLS
#endif

static int set_up(void **state)
{
    (void)state;
    meeting_open_remote(&fixture.meeting);
    fixture.meeting.data = DATA;
    peer_init(&fixture.host, 1);
    peer_init(&fixture.worker, 1);
    return 0;
}

static void connect_both(size_t max_message_size)
{
    meeting_connect(&fixture.meeting, &fixture.host, &fixture.worker, max_message_size);
}

static void send_to(struct peer *peer, size_t length)
{
    doca_error_t status = peer_send(peer, length);

    assert_true(status == DOCA_SUCCESS || status == DOCA_ERROR_IN_PROGRESS);
}

static void frames_of_all_lengths_arrive_both_ways_at_once(void **state)
{
    static const size_t lengths[] = { 24, 25, 31, 32, 88, 1000, 4096, 16384, 65531, 65560, 100000,
        262144, 1048576, 4194304 };
    struct peer *host = &fixture.host;
    struct peer *worker = &fixture.worker;

    (void)state;
    connect_both(LARGE_MAX);
    for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); ++i) {
        send_to(host, lengths[i]);
        send_to(worker, lengths[i]);
    }
    channel_push(host->channel);
    channel_push(worker->channel);

    poll_until(host->received == worker->sent && worker->received == host->sent, host, worker);
    assert_int_equal(host->sent, host->done);
    assert_int_equal(0, channel_waiting(host->channel));
}

static void the_worker_says_which_ticket_it_was(void **state)
{
    (void)state;
    connect_both(SMALL_MAX);
    assert_memory_equal(
            fixture.host.ticket.id, channel_ticket_id(fixture.worker.channel), WIRE_TICKET_ID_SIZE);
}

static void messages_wait_for_room_in_order(void **state)
{
    struct peer *host = &fixture.host;
    struct peer *worker = &fixture.worker;
    doca_error_t status = DOCA_SUCCESS;

    (void)state;
    connect_both(SMALL_MAX);
    while (status == DOCA_SUCCESS) {
        status = peer_send(host, 3000);
        channel_push(host->channel);
    }
    assert_status(DOCA_ERROR_IN_PROGRESS, status);
    assert_success(peer_send_control(host, 77));
    assert_true(channel_waiting(host->channel) > 0);

    poll_until(worker->controls == 1, host, worker);
    assert_int_equal(77, worker->last_control);
    assert_int_equal(host->sent, worker->received);
    assert_int_equal(host->sent, host->done);
}

/* Sleeps until one of both has work to do, and polls both. */
static void sleep_and_poll(void)
{
    struct pollfd fds[] = {
        { .fd = channel_descriptor(fixture.host.channel), .events = POLLIN },
        { .fd = channel_descriptor(fixture.worker.channel), .events = POLLIN },
    };
    bool asleep = channel_arm(fixture.host.channel, true) == DOCA_SUCCESS;

    asleep = channel_arm(fixture.worker.channel, true) == DOCA_SUCCESS && asleep;
    if (asleep)
        assert_true(poll(fds, 2, PEER_MS) > 0);
    channel_poll(fixture.host.channel, 2);
    channel_poll(fixture.worker.channel, 2);
}

static void both_may_sleep_from_the_beginning(void **state)
{
    struct peer *host = &fixture.host;
    struct peer *worker = &fixture.worker;

    (void)state;
    assert_success(meeting_ask(&fixture.meeting, host, LARGE_MAX));
    assert_success(meeting_accept(&fixture.meeting, worker, LARGE_MAX));
    send_to(host, 4194304);
    for (unsigned i = 0; i < 20; ++i)
        send_to(host, 100 * i + 24);
    assert_success(peer_send_control(host, 3));
    while (channel_status(worker->channel) == DOCA_ERROR_IN_PROGRESS)
        sleep_and_poll();
    send_to(worker, 3000000);

    while (worker->controls < 1 || host->received < 1)
        sleep_and_poll();
    assert_int_equal(21, worker->received);
}

static bool is_readable(const struct peer *peer, int milliseconds)
{
    struct pollfd fd = { .fd = channel_descriptor(peer->channel), .events = POLLIN };

    return poll(&fd, 1, milliseconds) == 1;
}

/* The connection is established, but the worker does not answer. */
static void a_host_sleeps_until_the_worker_answers(void **state)
{
    struct peer *host = &fixture.host;

    (void)state;
    assert_success(meeting_ask(&fixture.meeting, host, SMALL_MAX));
    await((channel_poll(host->channel, 8), channel_arm(host->channel, true)) == DOCA_SUCCESS
                    && !is_readable(host, 0),
            PEER_MS);
    assert_success(meeting_accept(&fixture.meeting, &fixture.worker, SMALL_MAX));
    poll_until(channel_status(host->channel) == DOCA_SUCCESS, host, &fixture.worker);
}

/* Nests epoll as deep as an application that observes the descriptor of a progress engine. */
static void an_epoll_of_an_epoll_hears_of_it(void **state)
{
    struct epoll_event interest = { .events = EPOLLIN };
    struct epoll_event event;
    int engine = epoll_create1(EPOLL_CLOEXEC);
    int application = epoll_create1(EPOLL_CLOEXEC);

    (void)state;
    connect_both(SMALL_MAX);
    assert_int_equal(0, epoll_ctl(application, EPOLL_CTL_ADD, engine, &interest));
    assert_int_equal(0,
            epoll_ctl(
                    engine, EPOLL_CTL_ADD, channel_descriptor(fixture.worker.channel), &interest));
    while (channel_arm(fixture.worker.channel, true) != DOCA_SUCCESS)
        channel_poll(fixture.worker.channel, 8);
    assert_int_equal(0, epoll_wait(application, &event, 1, 0));
    send_to(&fixture.host, 1000);
    channel_push(fixture.host.channel);
    channel_poll(fixture.host.channel, 8);

    assert_int_equal(1, epoll_wait(application, &event, 1, PEER_MS));
    poll_until(fixture.worker.received == 1, &fixture.host, &fixture.worker);
    close(application);
    close(engine);
}

static void a_reader_that_wants_nothing_sleeps_on(void **state)
{
    struct peer *host = &fixture.host;
    struct peer *worker = &fixture.worker;

    (void)state;
    if (DATA == CHANNEL_DATA_UCX)
        skip(); /* UCX receives data up to its window */
    connect_both(SMALL_MAX);
    poll_until(channel_poll(worker->channel, 8) == 0, worker);
    assert_success(channel_arm(worker->channel, false));
    send_to(host, 88);
    channel_push(host->channel);

    assert_false(is_readable(worker, 0));
    assert_int_equal(0, channel_poll(worker->channel, 0));
    if (channel_arm(worker->channel, true) == DOCA_SUCCESS)
        assert_true(is_readable(worker, PEER_MS));
    poll_until(worker->received == 1, worker);
}

static void what_was_sent_before_the_end_is_received(void **state)
{
    struct peer *host = &fixture.host;
    struct peer *worker = &fixture.worker;

    (void)state;
    connect_both(SMALL_MAX);
    for (unsigned i = 0; i < 20; ++i)
        assert_success(peer_send(host, 1000));
    peer_close(host);

    poll_until(channel_status(worker->channel) != DOCA_SUCCESS, worker);
    assert_status(DOCA_ERROR_CONNECTION_RESET, channel_status(worker->channel));
    assert_int_equal(20, worker->received);
}

static void an_unfinished_payload_is_abandoned(void **state)
{
    struct peer *host = &fixture.host;
    struct peer *worker = &fixture.worker;

    (void)state;
    connect_both(LARGE_MAX);
    send_to(host, 4194304);
    poll_until(worker->place != NULL, host, worker);
    peer_close(host);

    poll_until(channel_status(worker->channel) != DOCA_SUCCESS, worker);
    assert_int_equal(1, worker->abandoned);
}

/* On a machine with other interfaces, UCX could listen there. */
static void all_its_sockets_use_the_interface_of_the_connection(void **state)
{
    unsigned sockets = 0;

    (void)state;
    connect_both(SMALL_MAX);
    for (int fd = STDERR_FILENO + 1; fd < FD_SETSIZE; ++fd) {
        struct sockaddr_in address = { 0 };
        socklen_t length = sizeof(address);

        if (getsockname(fd, (struct sockaddr *)&address, &length) != 0
                || address.sin_family != AF_INET)
            continue;
        ++sockets;
        assert_int_equal(INADDR_LOOPBACK, ntohl(address.sin_addr.s_addr));
    }
    assert_true(sockets >= 2);
}

static int tcp_option(int fd, int level, int option)
{
    int value = 0;
    socklen_t length = sizeof(value);

    assert_int_equal(0, getsockopt(fd, level, option, &value, &length));
    return value;
}

static void assert_is_tuned(int fd)
{
    int probes = tcp_option(fd, IPPROTO_TCP, TCP_KEEPCNT);

    assert_int_equal(1, tcp_option(fd, IPPROTO_TCP, TCP_NODELAY));
    assert_int_equal(1, tcp_option(fd, SOL_SOCKET, SO_KEEPALIVE));
    assert_int_equal(10,
            tcp_option(fd, IPPROTO_TCP, TCP_KEEPIDLE)
                    + tcp_option(fd, IPPROTO_TCP, TCP_KEEPINTVL) * probes);
    assert_int_equal(10000, tcp_option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT));
}

/* The kernel sends short frames at once and detects an unreachable peer within 10 s. */
static void its_sockets_are_tuned(void **state)
{
    unsigned connections = 0;

    (void)state;
    if (DATA == CHANNEL_DATA_UCX)
        skip(); /* UCX has sockets of its own */
    connect_both(SMALL_MAX);
    for (int fd = STDERR_FILENO + 1; fd < FD_SETSIZE; ++fd) {
        struct sockaddr_in peer = { 0 };
        socklen_t length = sizeof(peer);

        if (getpeername(fd, (struct sockaddr *)&peer, &length) == 0 && peer.sin_family == AF_INET) {
            assert_is_tuned(fd);
            ++connections;
        }
    }
    assert_int_equal(2, connections);
}

static void assert_refused(void)
{
    struct peer *host = &fixture.host;
    struct peer *worker = &fixture.worker;

    assert_success(meeting_ask(&fixture.meeting, host, SMALL_MAX));
    assert_success(meeting_accept(&fixture.meeting, worker, SMALL_MAX));
    await((channel_poll(host->channel, 8), channel_poll(worker->channel, 8),
                  channel_status(worker->channel))
                    != DOCA_ERROR_IN_PROGRESS,
            PEER_MS);
    assert_true(channel_status(worker->channel) != DOCA_SUCCESS);
    assert_true(strlen(channel_reason(worker->channel)) > 0);
    peer_close(worker);
    poll_until(channel_status(host->channel) != DOCA_ERROR_IN_PROGRESS
                    && channel_status(host->channel) != DOCA_SUCCESS,
            host);
}

static void a_ticket_with_another_key_is_rejected(void **state)
{
    (void)state;
    fixture.host.ticket.key[0] ^= 1;
    assert_refused();
}

static void an_invalid_ticket_is_rejected(void **state)
{
    (void)state;
    fixture.host.ticket.id[0] ^= 1;
    assert_refused();
}

static void a_service_on_another_machine_requires_a_key(void **state)
{
    struct channel_settings settings = { .receiver = &fixture.host.receiver,
        .max_message_size = SMALL_MAX };

    (void)state;
    log_keep();
    assert_status(DOCA_ERROR_NOT_PERMITTED,
            channel_connect_service(
                    &fixture.meeting.address, NULL, &settings, &fixture.host.channel));
    assert_logged_once("set DOCA_UROM_KEY_FILE");
    assert_null(fixture.host.channel);
}

static void a_port_without_a_listener_is_reported(void **state)
{
    doca_error_t status;

    (void)state;
    close(fixture.meeting.listener);
    fixture.meeting.listener = -1;
    status = meeting_ask(&fixture.meeting, &fixture.host, SMALL_MAX);
    if (status == DOCA_SUCCESS) {
        poll_until(channel_status(fixture.host.channel) != DOCA_ERROR_IN_PROGRESS, &fixture.host);
        status = channel_status(fixture.host.channel);
    }
    assert_status(DOCA_ERROR_CONNECTION_ABORTED, status);
}

#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(frames_of_all_lengths_arrive_both_ways_at_once),
        test(the_worker_says_which_ticket_it_was),
        test(messages_wait_for_room_in_order),
        test(both_may_sleep_from_the_beginning),
        test(a_host_sleeps_until_the_worker_answers),
        test(an_epoll_of_an_epoll_hears_of_it),
        test(a_reader_that_wants_nothing_sleeps_on),
        test(what_was_sent_before_the_end_is_received),
        test(an_unfinished_payload_is_abandoned),
        test(all_its_sockets_use_the_interface_of_the_connection),
        test(its_sockets_are_tuned),
        test(a_ticket_with_another_key_is_rejected),
        test(an_invalid_ticket_is_rejected),
        test(a_service_on_another_machine_requires_a_key),
        test(a_port_without_a_listener_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
