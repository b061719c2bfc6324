/* SPDX-License-Identifier: Apache-2.0 */
/* Authentication of both sides: tickets, users, and the validation of the ring memory. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <testing/logged.h>
#include <testing/process.h>

#include "fixture.h"

#define OTHER_USER 54321
#define SMALL_RING 262144u
#define EXIT_REFUSED 3 /* exit status of a child that was rejected, as expected */
#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

static int set_up(void **state)
{
    (void)state;
    meeting_open(&fixture.meeting);
    peer_init(&fixture.host, 1);
    peer_init(&fixture.worker, 1);
    return 0;
}

static void await_end(struct peer *peer, doca_error_t status)
{
    poll_until(channel_status(peer->channel) != DOCA_ERROR_IN_PROGRESS, peer);
    assert_status(status, channel_status(peer->channel));
    assert_true(strlen(channel_reason(peer->channel)) > 0);
}

static void assert_both_refuse(void)
{
    assert_success(meeting_ask(&fixture.meeting, &fixture.host, SMALL_MAX));
    assert_success(meeting_accept(&fixture.meeting, &fixture.worker, SMALL_MAX));
    await_end(&fixture.worker, DOCA_ERROR_NOT_PERMITTED);
    peer_close(&fixture.worker);
    await_end(&fixture.host, DOCA_ERROR_CONNECTION_RESET);
    assert_string_equal(
            "The worker has exited or rejected the ticket.", channel_reason(fixture.host.channel));
}

static void a_ticket_with_another_key_is_rejected(void **state)
{
    (void)state;
    fixture.host.ticket.key[WIRE_TICKET_KEY_SIZE - 1] ^= 1;
    assert_both_refuse();
}

static void an_invalid_ticket_is_rejected(void **state)
{
    (void)state;
    fixture.host.ticket.id[0] ^= 1;
    assert_both_refuse();
}

static void the_worker_says_which_ticket_it_was(void **state)
{
    struct peer *host = &fixture.host;
    struct peer *worker = &fixture.worker;

    (void)state;
    meeting_connect(&fixture.meeting, host, worker, SMALL_MAX);
    assert_memory_equal(host->ticket.id, channel_ticket_id(worker->channel), WIRE_TICKET_ID_SIZE);
}

static void frames_may_be_sent_while_it_opens(void **state)
{
    struct peer *host = &fixture.host;
    struct peer *worker = &fixture.worker;

    (void)state;
    assert_success(meeting_ask(&fixture.meeting, host, SMALL_MAX));
    assert_status(DOCA_ERROR_IN_PROGRESS, channel_status(host->channel));
    assert_status(DOCA_ERROR_IN_PROGRESS, peer_send(host, 1000));
    assert_success(peer_send_control(host, 9));
    assert_success(meeting_accept(&fixture.meeting, worker, SMALL_MAX));

    poll_until(worker->controls == 1, host, worker);
    assert_int_equal(1, worker->received);
}

static void rings_of_another_size_are_rejected(void **state)
{
    struct peer *host = &fixture.host;
    struct peer *worker = &fixture.worker;

    (void)state;
    assert_success(meeting_ask(&fixture.meeting, host, SMALL_MAX));
    assert_success(meeting_accept(&fixture.meeting, worker, LARGE_MAX));
    poll_until(channel_status(worker->channel) == DOCA_SUCCESS, worker);
    await_end(host, DOCA_ERROR_UNEXPECTED);
}

static void a_missing_listener_is_reported_immediately(void **state)
{
    (void)state;
    close(fixture.meeting.listener);
    fixture.meeting.listener = -1;
    assert_status(
            DOCA_ERROR_CONNECTION_ABORTED, meeting_ask(&fixture.meeting, &fixture.host, SMALL_MAX));
    assert_null(fixture.host.channel);
}

/* The limit leaves one descriptor, for the socket. */
static void a_limit_of_open_files_is_named(void **state)
{
    struct rlimit before, reached;
    int next;

    (void)state;
    log_keep();
    next = dup(STDERR_FILENO);
    close(next);
    assert_int_equal(0, getrlimit(RLIMIT_NOFILE, &before));
    reached = (struct rlimit){ (rlim_t)next + 1, before.rlim_max };
    assert_int_equal(0, setrlimit(RLIMIT_NOFILE, &reached));
    assert_status(
            DOCA_ERROR_OPERATING_SYSTEM, meeting_ask(&fixture.meeting, &fixture.host, SMALL_MAX));
    assert_int_equal(0, setrlimit(RLIMIT_NOFILE, &before));
    assert_logged_once("Raise the limit of open files (ulimit -n)");
    assert_null(fixture.host.channel);

    log_keep();
    meeting_connect(&fixture.meeting, &fixture.host, &fixture.worker, SMALL_MAX);
    assert_false(log_has("limit of open files"));
}

static void a_full_backlog_is_waited_for(void **state)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    uint64_t end = deadline_in(PEER_MS);
    int others[2];

    (void)state;
    assert_int_equal(0, listen(fixture.meeting.listener, 1));
    memcpy(address.sun_path, fixture.meeting.address.path, sizeof(address.sun_path));
    for (int i = 0; i < 2; ++i) {
        others[i] = socket(AF_UNIX, SOCK_STREAM, 0);
        assert_int_equal(0, connect(others[i], (struct sockaddr *)&address, sizeof(address)));
    }
    assert_success(meeting_ask(&fixture.meeting, &fixture.host, SMALL_MAX));
    /* On a busy machine, the time of the first retry may have passed already. */
    while (channel_arm(fixture.host.channel, true) == DOCA_ERROR_AGAIN) {
        assert_false(deadline_has_passed(end));
        channel_poll(fixture.host.channel, 8);
    }
    for (int i = 0; i < 2; ++i)
        close(accept(fixture.meeting.listener, NULL, NULL));

    /* The timer of the descriptor triggers the retry. */
    await(channel_arm(fixture.host.channel, true) == DOCA_ERROR_AGAIN, PEER_MS);
    channel_poll(fixture.host.channel, 8);
    assert_success(meeting_accept(&fixture.meeting, &fixture.worker, SMALL_MAX));
    poll_until(
            channel_status(fixture.host.channel) == DOCA_SUCCESS, &fixture.host, &fixture.worker);
    close(others[0]);
    close(others[1]);
}

/* Runs `step` in a child process of another user. */
static void as_another_user(void (*step)(void))
{
    pid_t child;
    int status;

    if (geteuid() != 0)
        skip();
    child = fork();
    if (child == 0) {
        if (setresgid(OTHER_USER, OTHER_USER, OTHER_USER) != 0
                || setresuid(OTHER_USER, OTHER_USER, OTHER_USER) != 0)
            _exit(1);
        step();
        _exit(2);
    }
    status = await_exit(child, PEER_MS);
    assert_true(WIFEXITED(status));
    assert_int_equal(EXIT_REFUSED, WEXITSTATUS(status));
}

static void connect_and_leave(void)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    memcpy(address.sun_path, fixture.meeting.address.path, sizeof(address.sun_path));
    if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
        _exit(EXIT_REFUSED);
}

static void a_worker_refuses_another_user_before_it_looks_at_the_ticket(void **state)
{
    (void)state;
    as_another_user(connect_and_leave);
    assert_status(
            DOCA_ERROR_NOT_PERMITTED, meeting_accept(&fixture.meeting, &fixture.worker, SMALL_MAX));
    assert_null(fixture.worker.channel);
}

static void ask_a_worker_of_root(void)
{
    if (meeting_ask(&fixture.meeting, &fixture.host, SMALL_MAX) == DOCA_ERROR_NOT_PERMITTED)
        _exit(EXIT_REFUSED);
}

static void a_host_shows_no_ticket_to_a_worker_of_another_user(void **state)
{
    char shown;
    int fd;

    (void)state;
    as_another_user(ask_a_worker_of_root);
    fd = accept(fixture.meeting.listener, NULL, NULL);
    assert_int_equal(0, read(fd, &shown, 1));
    close(fd);
}

static doca_error_t ask_a_service(void)
{
    struct channel_settings settings = { .receiver = &fixture.host.receiver,
        .max_message_size = SMALL_MAX };

    return channel_connect_service(
            &fixture.meeting.address, NULL, &settings, &fixture.host.channel);
}

static void ask_a_service_of_root(void)
{
    if (ask_a_service() == DOCA_SUCCESS)
        _exit(EXIT_REFUSED);
}

static void a_service_of_root_is_trusted_by_all(void **state)
{
    (void)state;
    as_another_user(ask_a_service_of_root);
}

static void a_service_of_another_user_is_trusted_if_the_operator_names_the_user(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    assert_int_equal(0, seteuid(OTHER_USER));
    assert_int_equal(0, listen(fixture.meeting.listener, 8));
    assert_int_equal(0, seteuid(0));
    assert_status(DOCA_ERROR_NOT_PERMITTED, ask_a_service());
    assert_int_equal(0, setenv("JUROM_SERVICE_USER", "54322", 1));
    assert_status(DOCA_ERROR_NOT_PERMITTED, ask_a_service());
    assert_int_equal(0, setenv("JUROM_SERVICE_USER", "54321", 1));
    assert_success(ask_a_service());
    unsetenv("JUROM_SERVICE_USER");
}

/* Plays the worker: receives the ticket and sends `capacity` with these descriptors. */
static void hand_out(uint32_t capacity, const int *fds, unsigned count)
{
    char control[CMSG_SPACE(2 * sizeof(int))] = { 0 };
    struct iovec bytes = { &capacity, sizeof(capacity) };
    struct msghdr message = { .msg_iov = &bytes, .msg_iovlen = 1 };
    uint8_t ticket[WIRE_TICKET_SIZE];
    struct cmsghdr *header = (struct cmsghdr *)(void *)control;
    int fd;

    assert_success(meeting_ask(&fixture.meeting, &fixture.host, SMALL_MAX));
    fd = accept(fixture.meeting.listener, NULL, NULL);
    assert_int_equal(sizeof(ticket), read(fd, ticket, sizeof(ticket)));
    assert_memory_equal(&fixture.host.ticket, ticket, sizeof(ticket));
    if (count > 0) {
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        *header = (struct cmsghdr){ .cmsg_len = CMSG_LEN(count * sizeof(int)),
            .cmsg_level = SOL_SOCKET,
            .cmsg_type = SCM_RIGHTS };
        memcpy(CMSG_DATA(header), fds, count * sizeof(int));
    }
    assert_int_equal(sizeof(capacity), sendmsg(fd, &message, 0));
    close(fd);
}

static int memory_of(off_t size, int seals)
{
    int fd = memfd_create("test", MFD_ALLOW_SEALING | MFD_CLOEXEC);

    assert_int_equal(0, ftruncate(fd, size));
    assert_int_equal(0, fcntl(fd, F_ADD_SEALS, seals));
    return fd;
}

static off_t right_size(void)
{
    return sysconf(_SC_PAGESIZE) + 2 * (off_t)SMALL_RING;
}

static void assert_refused(int fd, doca_error_t status)
{
    hand_out(SMALL_RING, &fd, 1);
    await_end(&fixture.host, status);
    close(fd);
}

static void memory_that_is_not_sealed_is_rejected(void **state)
{
    (void)state;
    assert_refused(memory_of(right_size(), F_SEAL_SHRINK | F_SEAL_SEAL), DOCA_ERROR_NOT_PERMITTED);
}

static void memory_that_is_too_short_is_rejected(void **state)
{
    (void)state;
    assert_refused(
            memory_of(right_size() - sysconf(_SC_PAGESIZE), SEALS), DOCA_ERROR_NOT_PERMITTED);
}

static void memory_that_cannot_be_written_is_rejected(void **state)
{
    (void)state;
    assert_refused(memory_of(right_size(), SEALS | F_SEAL_WRITE), DOCA_ERROR_NO_MEMORY);
    assert_string_equal("The memory of the rings that the peer sent cannot be mapped.",
            channel_reason(fixture.host.channel));
}

/* The memory gets the number of the closed standard input. */
static void a_program_without_standard_input_can_connect(void **state)
{
    int input = dup(STDIN_FILENO);

    (void)state;
    assert_success(meeting_ask(&fixture.meeting, &fixture.host, SMALL_MAX));
    assert_success(meeting_accept(&fixture.meeting, &fixture.worker, SMALL_MAX));
    close(STDIN_FILENO);
    poll_until(channel_status(fixture.host.channel) != DOCA_ERROR_IN_PROGRESS, &fixture.host,
            &fixture.worker);
    assert_success(channel_status(fixture.host.channel));
    assert_success(channel_status(fixture.worker.channel));
    dup2(input, STDIN_FILENO);
    close(input);
}

static void a_file_is_rejected_as_memory(void **state)
{
    char path[] = "/var/tmp/channel_test.XXXXXX";
    int fd = mkstemp(path);

    (void)state;
    unlink(path);
    assert_int_equal(0, ftruncate(fd, right_size()));
    assert_refused(fd, DOCA_ERROR_NOT_PERMITTED);
}

static void a_pipe_is_rejected_as_memory(void **state)
{
    int ends[2];

    (void)state;
    assert_int_equal(0, pipe(ends));
    close(ends[1]);
    assert_refused(ends[0], DOCA_ERROR_NOT_PERMITTED);
}

static void two_descriptors_are_rejected(void **state)
{
    int fd = memory_of(right_size(), SEALS);
    int fds[] = { fd, fd };

    (void)state;
    hand_out(SMALL_RING, fds, 2);
    await_end(&fixture.host, DOCA_ERROR_UNEXPECTED);
    close(fd);
}

static void no_descriptor_is_rejected(void **state)
{
    (void)state;
    hand_out(SMALL_RING, NULL, 0);
    await_end(&fixture.host, DOCA_ERROR_UNEXPECTED);
}

static void sealed_memory_of_the_right_size_is_taken(void **state)
{
    int fd = memory_of(right_size(), SEALS);

    (void)state;
    hand_out(SMALL_RING, &fd, 1);
    close(fd);
    poll_until(channel_status(fixture.host.channel) != DOCA_ERROR_IN_PROGRESS, &fixture.host);
    assert_success(channel_status(fixture.host.channel));
}

#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(a_ticket_with_another_key_is_rejected),
        test(an_invalid_ticket_is_rejected),
        test(the_worker_says_which_ticket_it_was),
        test(frames_may_be_sent_while_it_opens),
        test(rings_of_another_size_are_rejected),
        test(a_missing_listener_is_reported_immediately),
        test(a_limit_of_open_files_is_named),
        test(a_full_backlog_is_waited_for),
        test(a_worker_refuses_another_user_before_it_looks_at_the_ticket),
        test(a_host_shows_no_ticket_to_a_worker_of_another_user),
        test(a_service_of_root_is_trusted_by_all),
        test(a_service_of_another_user_is_trusted_if_the_operator_names_the_user),
        test(memory_that_is_not_sealed_is_rejected),
        test(memory_that_is_too_short_is_rejected),
        test(memory_that_cannot_be_written_is_rejected),
        test(a_program_without_standard_input_can_connect),
        test(a_file_is_rejected_as_memory),
        test(a_pipe_is_rejected_as_memory),
        test(two_descriptors_are_rejected),
        test(no_descriptor_is_rejected),
        test(sealed_memory_of_the_right_size_is_taken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
