/* SPDX-License-Identifier: Apache-2.0 */
/* Rings between two processes that poll, sleep, and are killed. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <testing/process.h>

#include "peer_process.h"

#define PUBLISHED 50 /* messages before its death */

struct fixture {
    struct meeting meeting;
    struct peer host;
};

static struct fixture fixture;
static int published[2]; /* a pipe: the worker says that it has published */

static int set_up(void **state)
{
    (void)state;
    meeting_open(&fixture.meeting);
    assert_int_equal(0, pipe(published));
    peer_init(&fixture.host, 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    peer_close(&fixture.host);
    meeting_close(&fixture.meeting);
    close(published[0]);
    close(published[1]);
    return 0;
}

static pid_t start(size_t max_message_size, void (*work)(struct peer *))
{
    pid_t pid = worker_process(&fixture.meeting, max_message_size, work);

    assert_success(meeting_ask(&fixture.meeting, &fixture.host, max_message_size));
    poll_until(channel_status(fixture.host.channel) != DOCA_ERROR_IN_PROGRESS, &fixture.host);
    assert_success(channel_status(fixture.host.channel));
    return pid;
}

static size_t length_of(uint64_t number)
{
    static const size_t lengths[] = { 24, 32, 88, 70000, 40, 4194304, 100, 65536 };

    return lengths[number % (sizeof(lengths) / sizeof(*lengths))];
}

static void answer(struct peer *worker)
{
    peer_send(worker, length_of(worker->received - 1));
    channel_push(worker->channel);
}

static void answer_shortly(struct peer *worker)
{
    peer_send(worker, 88);
    channel_push(worker->channel);
}

static void echo_shortly(struct peer *worker)
{
    worker->on_placed = answer_shortly;
    serve_until_the_end(worker, true);
    peer_close(worker);
}

static void echo_asleep(struct peer *worker)
{
    worker->on_placed = answer;
    serve_until_the_end(worker, true);
    peer_close(worker);
}

static void echo_awake(struct peer *worker)
{
    worker->on_placed = answer;
    serve_until_the_end(worker, false);
    peer_close(worker);
}

/* Sleeps until there is work to do, and polls. */
static void sleep_and_poll(struct peer *peer)
{
    struct pollfd fd = { .fd = channel_descriptor(peer->channel), .events = POLLIN };

    if (channel_arm(peer->channel, true) == DOCA_SUCCESS)
        assert_int_equal(1, poll(&fd, 1, PEER_MS));
    while (channel_poll(peer->channel, 8) > 0)
        ;
    assert_success(channel_status(peer->channel));
}

static void send_all(struct peer *host, unsigned count)
{
    for (unsigned i = 0; i < count; ++i) {
        doca_error_t status = peer_send(host, length_of(host->sent));

        assert_true(status == DOCA_SUCCESS || status == DOCA_ERROR_IN_PROGRESS);
    }
    channel_push(host->channel);
}

static void await_leaving(pid_t pid)
{
    int status;

    peer_close(&fixture.host);
    status = await_exit(pid, PEER_MS);
    assert_true(WIFEXITED(status));
    assert_int_equal(0, WEXITSTATUS(status));
}

static void all_comes_back_from_one_that_spins(void **state)
{
    pid_t pid = start(LARGE_MAX, echo_awake);

    (void)state;
    send_all(&fixture.host, 64);
    poll_until(fixture.host.received == 64, &fixture.host);
    await_leaving(pid);
}

static void all_comes_back_when_both_sleep(void **state)
{
    pid_t pid = start(LARGE_MAX, echo_asleep);

    (void)state;
    send_all(&fixture.host, 64);
    while (fixture.host.received < 64)
        sleep_and_poll(&fixture.host);
    await_leaving(pid);
}

static void single_messages_wake_one_that_sleeps(void **state)
{
    pid_t pid = start(SMALL_MAX, echo_shortly);
    struct peer *host = &fixture.host;

    (void)state;
    for (unsigned i = 0; i < 2000; ++i) {
        assert_success(peer_send(host, 24));
        channel_push(host->channel);
        while (host->received <= i)
            sleep_and_poll(host);
    }
    await_leaving(pid);
}

/* Publishes some messages and the start of another one, then waits to be killed. */
static void publish_and_wait(struct peer *worker)
{
    for (unsigned i = 0; i < PUBLISHED; ++i)
        peer_send(worker, 200);
    peer_send(worker, 4194304);
    channel_push(worker->channel);
    if (write(published[1], "", 1) == 1)
        serve_until_the_end(worker, false);
}

static void what_was_published_is_received_from_one_that_was_killed(void **state)
{
    pid_t pid = start(LARGE_MAX, publish_and_wait);
    struct peer *host = &fixture.host;
    char ready;

    (void)state;
    assert_int_equal(1, read(published[0], &ready, 1));
    kill_process(pid);

    poll_until(channel_status(host->channel) != DOCA_SUCCESS, host);
    assert_status(DOCA_ERROR_CONNECTION_RESET, channel_status(host->channel));
    assert_int_equal(PUBLISHED, host->received);
    assert_int_equal(1, host->abandoned);
}

/* Publishes some messages, then sleeps until it is killed. */
static void publish_and_sleep(struct peer *worker)
{
    for (unsigned i = 0; i < PUBLISHED; ++i)
        peer_send(worker, 200);
    channel_push(worker->channel);
    if (write(published[1], "", 1) == 1)
        serve_until_the_end(worker, true);
}

/* The doorbell that this side sends fails, so it detects the death before it polls for messages. */
static void what_was_published_is_received_although_a_doorbell_shows_the_death(void **state)
{
    pid_t pid = start(SMALL_MAX, publish_and_sleep);
    struct peer *host = &fixture.host;
    char ready;

    (void)state;
    assert_int_equal(1, read(published[0], &ready, 1));
    await(process_is_asleep(pid), PEER_MS);
    kill_process(pid);
    assert_success(peer_send(host, 24));
    channel_push(host->channel);
    assert_true(channel_peer_disconnected(host->channel));

    poll_until(channel_status(host->channel) != DOCA_SUCCESS, host);
    assert_status(DOCA_ERROR_CONNECTION_RESET, channel_status(host->channel));
    assert_int_equal(PUBLISHED, host->received);
}

static void a_death_wakes_one_that_sleeps(void **state)
{
    pid_t pid = start(SMALL_MAX, echo_shortly);
    struct pollfd fd = { .fd = channel_descriptor(fixture.host.channel), .events = POLLIN };

    (void)state;
    assert_success(channel_arm(fixture.host.channel, true));
    kill_process(pid);

    assert_int_equal(1, poll(&fd, 1, PEER_MS));
    while (channel_poll(fixture.host.channel, 8) > 0)
        ;
    assert_status(DOCA_ERROR_CONNECTION_RESET, channel_status(fixture.host.channel));
}

/* Creates a process that holds the channel's socket, without running fork handlers. */
static void have_a_child_hold_the_socket(struct peer *worker)
{
    long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

    if (child == 0) {
        /* A limit in case the test fails. */
        poll(NULL, 0, PEER_MS);
        _exit(0);
    }
    peer_send_control(worker, (uint64_t)child);
    serve_until_the_end(worker, false);
}

static void a_child_that_holds_the_socket_does_not_hide_a_death(void **state)
{
    pid_t pid = start(SMALL_MAX, have_a_child_hold_the_socket);
    struct peer *host = &fixture.host;
    pid_t holder;

    (void)state;
    poll_until(host->controls == 1, host);
    holder = (pid_t)host->last_control;
    kill_process(pid);

    poll_until(channel_status(host->channel) != DOCA_SUCCESS, host);
    assert_status(DOCA_ERROR_CONNECTION_RESET, channel_status(host->channel));
    assert_false(process_is_gone(holder));
    assert_int_equal(0, kill(holder, SIGKILL));
}

/* Checks the parent's channel in a forked child. The exit status identifies the failed check. */
static int look_from_child(struct peer *host, int descriptor)
{
    struct channel_message message = { 0 };
    uint8_t frame[WIRE_PREFIX_SIZE];

    wire_put_command(frame, 0, 0, 0);
    if (channel_status(host->channel) != DOCA_ERROR_BAD_STATE)
        return 1;
    if (channel_poll(host->channel, 8) != 0)
        return 2;
    if (channel_send(host->channel, frame, sizeof(frame), &message) != DOCA_ERROR_BAD_STATE)
        return 3;
    if (channel_arm(host->channel, true) != DOCA_ERROR_BAD_STATE)
        return 4;
    if (fcntl(descriptor, F_GETFD) != -1)
        return 5;
    channel_push(host->channel);
    channel_close(host->channel);
    return 0;
}

static void a_child_has_lost_the_channels_of_its_parent(void **state)
{
    pid_t pid = start(SMALL_MAX, echo_shortly);
    struct peer *host = &fixture.host;
    int descriptor = channel_descriptor(host->channel);
    int status;
    pid_t child;

    (void)state;
    child = fork();
    if (child == 0)
        _exit(look_from_child(host, descriptor));
    status = await_exit(child, PEER_MS);
    assert_true(WIFEXITED(status));
    assert_int_equal(0, WEXITSTATUS(status));

    assert_success(peer_send(host, 24));
    channel_push(host->channel);
    poll_until(host->received == 1, host);
    await_leaving(pid);
}

static void fork_inside(struct peer *peer)
{
    pid_t child = fork();

    (void)peer;
    /* The child continues in channel_poll, where the rings are no longer mapped. */
    if (child != 0)
        assert_int_equal(0, await_exit(child, PEER_MS));
}

static void a_child_that_was_forked_by_a_receiver_survives(void **state)
{
    pid_t pid = start(SMALL_MAX, echo_shortly);
    pid_t self = getpid();
    struct peer *host = &fixture.host;

    (void)state;
    host->on_placed = fork_inside;
    for (unsigned i = 0; i < 3; ++i)
        assert_success(peer_send(host, 24));
    channel_push(host->channel);
    while (host->received < 3 && getpid() == self)
        channel_poll(host->channel, 8);
    if (getpid() != self)
        _exit(channel_status(host->channel) == DOCA_ERROR_BAD_STATE ? 0 : 1);
    await_leaving(pid);
}

#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(all_comes_back_from_one_that_spins),
        test(all_comes_back_when_both_sleep),
        test(single_messages_wake_one_that_sleeps),
        test(what_was_published_is_received_from_one_that_was_killed),
        test(what_was_published_is_received_although_a_doorbell_shows_the_death),
        test(a_death_wakes_one_that_sleeps),
        test(a_child_that_holds_the_socket_does_not_hide_a_death),
        test(a_child_has_lost_the_channels_of_its_parent),
        test(a_child_that_was_forked_by_a_receiver_survives),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
