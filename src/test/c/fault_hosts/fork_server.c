/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forks a host for each job that it reads: C hosts of seeded runs cost no more than that.
 *
 *     in   host ...                     a job: see job.h
 *          go                           all hosts that were forked since the last one begin
 *          tell LETTER                  to the keeper that was forked last: see keeper.h
 *     out  pid run=R number=N pid=P     it has been forked, and waits
 *          result ...                   see result.h
 *          keeper ...                   see keeper.h
 *          let-in-again run=R number=N yes=0|1     it has shown its ticket once more
 *          ended-by-worker run=R number=N yes=0|1  its connection, when it had cut it off
 *          ended run=R number=N status=WAIT_STATUS
 *
 * It ends with its input, and its hosts with it. What hosts have forked themselves lives until the
 * hosts of the next run are forked.
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
#include "keeper.h"

#define CHILDREN_MAX 64

struct child {
    pid_t pid; /* 0: none */
    unsigned run;
    unsigned number;
};

static struct child children[CHILDREN_MAX];
static int gate[2] = { -1, -1 };    /* a pipe whose end is the sign to begin */
static int leash[2] = { -1, -1 };   /* and one for what hosts have forked, to end */
static int letters[2] = { -1, -1 }; /* and what a keeper is told */
static sigset_t child_signal;

static void say(const char *line)
{
    if (write(STDOUT_FILENO, line, strlen(line)) != (ssize_t)strlen(line))
        exit(EXIT_FAILURE);
}

static void be_host(const struct job *job)
{
    char nothing;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigprocmask(SIG_UNBLOCK, &child_signal, NULL);
    close(gate[1]);
    close(leash[1]);
    close(letters[1]);
    close(STDIN_FILENO);
    while (read(gate[0], &nothing, 1) < 0 && errno == EINTR)
        continue;
    close(gate[0]);
    if (job->keeps)
        keeper_run(job, letters[0]);
    else
        host_run(job, leash[0]);
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
    if (gate[0] < 0) {
        renew(gate);
        renew(leash);
    }
    if (job->keeps)
        renew(letters);
    children[at] = (struct child){ fork(), job->run, job->number };
    if (children[at].pid == 0)
        be_host(job);
    if (children[at].pid < 0)
        exit(EXIT_FAILURE);
    snprintf(line, sizeof(line), "pid run=%u number=%u pid=%d\n", job->run, job->number,
            (int)children[at].pid);
    say(line);
}

static void open_gate(void)
{
    if (gate[0] >= 0) {
        close(gate[0]);
        close(gate[1]);
    }
    gate[0] = -1;
}

static void tell_keeper(char letter)
{
    if (write(letters[1], &letter, 1) != 1)
        fprintf(stderr, "fault_hosts: there is no keeper\n");
}

static void obey(const char *line)
{
    struct job job;

    if (strcmp(line, "go") == 0) {
        open_gate();
    } else if (strncmp(line, "tell ", 5) == 0) {
        tell_keeper(line[5]);
    } else if (job_parse(line, &job)) {
        fork_host(&job);
    } else {
        fprintf(stderr, "fault_hosts: this is no command and no job: %s\n", line);
        exit(EXIT_FAILURE);
    }
}

/* Obeys each line that is whole. False: the input has ended. */
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
        size_t taken = (size_t)(end - buffer) + 1;

        *end = '\0';
        obey(buffer);
        length -= taken;
        memmove(buffer, buffer + taken, length);
    }
    return length < sizeof(buffer);
}

static void reap(int signals)
{
    struct signalfd_siginfo seen;
    char line[128];
    int status;
    pid_t pid;

    if (read(signals, &seen, sizeof(seen)) < 0)
        return;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        for (unsigned i = 0; i < CHILDREN_MAX; ++i) {
            if (children[i].pid == pid) {
                snprintf(line, sizeof(line), "ended run=%u number=%u status=%d\n", children[i].run,
                        children[i].number, status);
                children[i].pid = 0;
                say(line);
            }
        }
    }
}

int main(void)
{
    struct pollfd sources[2] = { { .fd = STDIN_FILENO, .events = POLLIN }, { .events = POLLIN } };
    bool open = true;

    prctl(PR_SET_CHILD_SUBREAPER, 1); /* also for what hosts have forked */
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
