/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forks a host for each job that it reads, since executing a program for each C host is slower.
 *
 *     in   host ...                     a job: see job.h
 *          go                           starts all hosts forked since the previous "go"
 *          resident LETTER              a command for the last forked resident host: see resident.h
 *     out  pid run=R number=N pid=P     a host was forked and waits for "go"
 *          result ...                   see result.h
 *          resident ...                 see resident.h
 *          accepted-again run=R number=N yes=0|1     a host presented its ticket again
 *          closed-by-worker run=R number=N yes=0|1   whether the worker has closed its connection
 *          ended run=R number=N status=WAIT_STATUS
 *
 * It exits when its input is closed, which kills its hosts. Processes forked by hosts run until
 * the hosts of the next run are forked.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"
#include "resident.h"

#define CHILDREN_MAX 64

struct child {
    pid_t pid; /* 0: unused */
    unsigned run;
    unsigned number;
};

static struct child children[CHILDREN_MAX];
static int start_pipe[2] = { -1, -1 }; /* the hosts start when it is closed */
static int lifeline[2] = { -1, -1 };   /* children of hosts exit when it is closed */
static int commands[2] = { -1, -1 };   /* the commands for a resident host */
static sigset_t child_signal;

static void print(const char *line)
{
    if (write(STDOUT_FILENO, line, strlen(line)) != (ssize_t)strlen(line))
        exit(EXIT_FAILURE);
}

static void run_host_process(const struct job *job)
{
    char unused;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigprocmask(SIG_UNBLOCK, &child_signal, NULL);
    close(start_pipe[1]);
    close(lifeline[1]);
    close(commands[1]);
    close(STDIN_FILENO);
    while (read(start_pipe[0], &unused, 1) < 0 && errno == EINTR)
        continue;
    close(start_pipe[0]);
    if (job->resident)
        resident_run(job, commands[0]);
    else
        host_run(job, lifeline[0]);
    _exit(EXIT_SUCCESS);
}

static void renew(int ends[2])
{
    if (ends[0] >= 0) {
        close(ends[0]);
        close(ends[1]);
    }
    if (pipe2(ends, O_CLOEXEC) != 0)
        exit(EXIT_FAILURE);
}

static void fork_host(const struct job *job)
{
    char line[128];
    unsigned at = 0;

    while (at < CHILDREN_MAX && children[at].pid != 0)
        ++at;
    if (at == CHILDREN_MAX)
        exit(EXIT_FAILURE);
    if (start_pipe[0] < 0) {
        renew(start_pipe);
        renew(lifeline);
    }
    if (job->resident)
        renew(commands);
    children[at] = (struct child){ fork(), job->run, job->number };
    if (children[at].pid == 0)
        run_host_process(job);
    if (children[at].pid < 0)
        exit(EXIT_FAILURE);
    snprintf(line, sizeof(line), "pid run=%u number=%u pid=%d\n", job->run, job->number,
            (int)children[at].pid);
    print(line);
}

static void start_hosts(void)
{
    if (start_pipe[0] >= 0) {
        close(start_pipe[0]);
        close(start_pipe[1]);
    }
    start_pipe[0] = -1;
}

static void command_resident(char letter)
{
    if (write(commands[1], &letter, 1) != 1)
        fprintf(stderr, "fault_hosts: no resident host\n");
}

static void execute(const char *line)
{
    struct job job;

    if (strcmp(line, "go") == 0) {
        start_hosts();
    } else if (strncmp(line, "resident ", 9) == 0) {
        command_resident(line[9]);
    } else if (job_parse(line, &job)) {
        fork_host(&job);
    } else {
        fprintf(stderr, "fault_hosts: invalid command or job: %s\n", line);
        exit(EXIT_FAILURE);
    }
}

/* Executes each complete line. Returns false at the end of the input. */
static bool read_lines(void)
{
    static char buffer[16 * JOB_LINE_MAX];
    static size_t length;
    ssize_t count = read(STDIN_FILENO, buffer + length, sizeof(buffer) - length);
    char *end;

    if (count <= 0)
        return count < 0 && errno == EINTR;
    length += (size_t)count;
    while ((end = memchr(buffer, '\n', length)) != NULL) {
        size_t consumed = (size_t)(end - buffer) + 1;

        *end = '\0';
        execute(buffer);
        length -= consumed;
        memmove(buffer, buffer + consumed, length);
    }
    return length < sizeof(buffer);
}

static void reap(int signals)
{
    struct signalfd_siginfo info;
    char line[128];
    int status;
    pid_t pid;

    if (read(signals, &info, sizeof(info)) < 0)
        return;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        for (unsigned i = 0; i < CHILDREN_MAX; ++i) {
            if (children[i].pid == pid) {
                snprintf(line, sizeof(line), "ended run=%u number=%u status=%d\n", children[i].run,
                        children[i].number, status);
                children[i].pid = 0;
                print(line);
            }
        }
    }
}

int main(void)
{
    struct pollfd sources[2] = { { .fd = STDIN_FILENO, .events = POLLIN }, { .events = POLLIN } };
    bool open = true;

    prctl(PR_SET_CHILD_SUBREAPER, 1); /* also for processes forked by hosts */
    sigemptyset(&child_signal);
    sigaddset(&child_signal, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_signal, NULL);
    sources[1].fd = signalfd(-1, &child_signal, SFD_CLOEXEC | SFD_NONBLOCK);
    while (open) {
        poll(sources, 2, -1);
        if (sources[1].revents != 0)
            reap(sources[1].fd);
        if (sources[0].revents != 0)
            open = read_lines();
    }
    return EXIT_SUCCESS;
}
