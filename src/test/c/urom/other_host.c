/* SPDX-License-Identifier: Apache-2.0 */
#include "other_host.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <testing/assertions.h>
#include <testing/process.h>

#define ARGUMENTS_MAX 8
#define LINE_LENGTH 128
#define LINE_MS 30000
#define EXIT_MS 15000

static void run_program(const char *const arguments[], int input, int output)
{
    const char *argument[ARGUMENTS_MAX] = { HOST_PROCESS };

    for (unsigned i = 0; arguments[i] != NULL; ++i)
        argument[i + 1] = arguments[i];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    execv(HOST_PROCESS, (char *const *)argument);
    _exit(127);
}

static void read_line(int fd, char line[LINE_LENGTH])
{
    struct pollfd readable = { .fd = fd, .events = POLLIN };
    uint64_t deadline = deadline_in(LINE_MS);
    size_t length = 0;

    while (length == 0 || line[length - 1] != '\n') {
        assert_false(deadline_has_passed(deadline));
        if (poll(&readable, 1, 100) == 1) {
            assert_true(length + 1 < LINE_LENGTH);
            assert_int_equal(1, read(fd, line + length, 1));
            ++length;
        }
    }
    line[length] = '\0';
}

void other_host_start(struct other_host *host, const char *const arguments[])
{
    char line[LINE_LENGTH];
    int to[2], from[2];

    assert_int_equal(0, pipe2(to, O_CLOEXEC));
    assert_int_equal(0, pipe2(from, O_CLOEXEC));
    host->pid = fork();
    if (host->pid == 0)
        run_program(arguments, to[0], from[1]);
    assert_true(host->pid > 0);
    close(to[0]);
    close(from[1]);
    host->input = to[1];
    host->output = from[0];
    read_line(host->output, line);
    assert_int_equal(2, sscanf(line, "%lu %d\n", &host->worker_id, &host->worker_pid));
}

void other_host_await_done(struct other_host *host)
{
    char line[LINE_LENGTH];

    read_line(host->output, line);
    assert_string_equal("done\n", line);
}

void other_host_stop(struct other_host *host)
{
    close(host->input);
    assert_int_equal(0, await_exit(host->pid, EXIT_MS));
    close(host->output);
}

void other_host_kill(struct other_host *host)
{
    assert_int_equal(0, kill(host->pid, SIGKILL));
    await_exit(host->pid, EXIT_MS);
    close(host->input);
    close(host->output);
}
