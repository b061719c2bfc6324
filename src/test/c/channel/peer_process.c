/* SPDX-License-Identifier: Apache-2.0 */
#include "peer_process.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <testing/process.h>

pid_t worker_process(
        struct meeting *meeting, size_t max_message_size, void (*work)(struct peer *worker))
{
    struct peer worker;
    char ready;
    int ends[2];
    pid_t pid;

    assert_int_equal(0, pipe(ends));
    pid = fork();
    assert_true(pid >= 0);
    if (pid > 0) {
        close(ends[1]);
        assert_int_equal(1, read(ends[0], &ready, 1));
        close(ends[0]);
        return pid;
    }
    /* The host sees the credentials of the listening process. */
    if (listen(meeting->listener, 1) != 0 || write(ends[1], "", 1) != 1)
        _exit(3);
    peer_init(&worker, 1);
    if (meeting_accept(meeting, &worker, max_message_size) != DOCA_SUCCESS)
        _exit(1);
    poll_until(channel_status(worker.channel) != DOCA_ERROR_IN_PROGRESS, &worker);
    if (channel_status(worker.channel) != DOCA_SUCCESS)
        _exit(2);
    work(&worker);
    _exit(0);
}

void kill_process(pid_t pid)
{
    assert_int_equal(0, kill(pid, SIGKILL));
    await_exit(pid, PEER_MS);
}

void serve_until_the_end(struct peer *peer, bool asleep)
{
    while (channel_status(peer->channel) == DOCA_SUCCESS) {
        struct pollfd fd = { .fd = channel_descriptor(peer->channel), .events = POLLIN };

        if (channel_poll(peer->channel, 8) > 0)
            continue;
        if (!asleep)
            give_way();
        else if (channel_arm(peer->channel, true) == DOCA_SUCCESS)
            assert_int_equal(1, poll(&fd, 1, PEER_MS));
    }
}
