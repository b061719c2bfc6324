/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <linux/ioprio.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "launch_inheritance.h"

#define PATH_LIMIT 4096
#define NUMBER_MAX 16
#define PRIVATE_MASK 077
#define OOM_FILE "/proc/self/oom_score_adj"

static bool has_terminal(void)
{
    int fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);

    if (fd >= 0)
        close(fd);
    return fd >= 0 || errno != ENXIO;
}

doca_error_t launch_leave_terminal(char reason[REASON_MAX])
{
    if (setsid() >= 0 || (getsid(0) == getpid() && !has_terminal()))
        return DOCA_SUCCESS;
    return fail_with(reason, DOCA_ERROR_OPERATING_SYSTEM,
            "process %d cannot leave the service's terminal: %s", (int)getpid(), strerror(errno));
}

void launch_reset_signals(void)
{
    sigset_t none;

    for (int number = 1; number < NSIG; ++number)
        signal(number, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

bool launch_end_with(pid_t parent)
{
    return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent;
}

/* Joins a cgroup of the worker. If this fails, the worker runs in the service's cgroup. */
static void join_cgroup(const char *directory, size_t length)
{
    char path[PATH_LIMIT];
    int fd;

    snprintf(path, sizeof(path), "%.*s/cgroup.procs", (int)length, directory);
    fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, "0", 1) != 1)
        fprintf(stderr, "The worker stays in the service's cgroup: %s: %s\n", path,
                strerror(errno));
    if (fd >= 0)
        close(fd);
}

static void join_cgroups(const struct wire_bytes *directories)
{
    const char *next = (const char *)directories->data;
    const char *end = next + directories->length;

    while (next < end) {
        const char *line = memchr(next, '\n', (size_t)(end - next));
        const char *stop = line == NULL ? end : line;

        join_cgroup(next, (size_t)(stop - next));
        next = stop + 1;
    }
}

static int oom_score_adjustment(void)
{
    char number[NUMBER_MAX] = "";
    int fd = open(OOM_FILE, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, number, sizeof(number) - 1);

    if (fd >= 0)
        close(fd);
    return length > 0 ? atoi(number) : 0;
}

/* With a negative value, the kernel would kill all other processes before this one. */
static bool reset_oom_score(void)
{
    bool reset;
    int fd;

    if (oom_score_adjustment() >= 0)
        return true;
    fd = open(OOM_FILE, O_WRONLY | O_CLOEXEC);
    reset = fd >= 0 && write(fd, "0", 1) == 1;
    if (fd >= 0)
        close(fd);
    return reset;
}

static bool has_real_time_io(void)
{
    long priority = syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, 0);

    return priority >= 0 && IOPRIO_PRIO_CLASS(priority) == IOPRIO_CLASS_RT;
}

/* Drops a higher priority, which only the service may have; keeps a lower one. */
static bool reset_priority(void)
{
    const struct sched_param ordinary = { .sched_priority = 0 };
    int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;

    if (policy != SCHED_OTHER && policy != SCHED_BATCH && policy != SCHED_IDLE
            && sched_setscheduler(0, SCHED_OTHER, &ordinary) != 0)
        return false;
    if (getpriority(PRIO_PROCESS, 0) < 0 && setpriority(PRIO_PROCESS, 0, 0) != 0)
        return false;
    return !has_real_time_io() || syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, 0) == 0;
}

doca_error_t launch_inheritance(const struct wire_launch *launch, char reason[REASON_MAX])
{
    join_cgroups(&launch->cgroup);
    if (!(launch->flags & WIRE_FLAG_CHANGE_USER))
        return DOCA_SUCCESS;

    umask(PRIVATE_MASK);
    if (reset_oom_score() && reset_priority())
        return DOCA_SUCCESS;
    return fail_with(reason, DOCA_ERROR_OPERATING_SYSTEM,
            "a worker of user %u cannot drop the service's priority: %s", launch->user_id,
            strerror(errno));
}

/*
 * If a seccomp filter denies keyctl(), the worker cannot read a keyring either. Other errors, such
 * as an exceeded quota of the user, must not leave the worker in the service's keyring.
 */
doca_error_t launch_keyring(char reason[REASON_MAX])
{
    if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) >= 0)
        return DOCA_SUCCESS;
    if (errno == EPERM || errno == ENOSYS) {
        fprintf(stderr, "The worker has no session keyring of its own: keyctl() is denied\n");
        return DOCA_SUCCESS;
    }
    return fail_with(reason, DOCA_ERROR_OPERATING_SYSTEM,
            "no session keyring could be created for a worker of user %u: %s", (unsigned)geteuid(),
            strerror(errno));
}
