/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing is freed: the process either executes the program or exits. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <faults/faults.h>

#include "launch_files.h"
#include "launch_inheritance.h"
#include "launch_user.h"
#include "launcher.h"
#include "pipe_frame.h"

#define OWN_ARGUMENTS 3 /* name, --serve, NULL */
#define NUMBER_MAX 16

extern char **environ;

static char **split_environment(const struct wire_launch *launch)
{
    char **strings = FAULT_ALLOCATE(
            launcher_memory, calloc((size_t)launch->environment_count + 1, sizeof(*strings)));
    char *next = (char *)launch->environment.data;

    for (uint32_t i = 0; strings != NULL && i < launch->environment_count; ++i) {
        strings[i] = next;
        next += strlen(next) + 1;
    }
    return strings;
}

static doca_error_t execute_worker(const char *program, const struct wire_launch *launch,
        const struct received *received, char reason[REASON_MAX])
{
    const uint32_t count = received->request.count;
    char **arguments = calloc((size_t)count + OWN_ARGUMENTS, sizeof(*arguments));
    char **environment = split_environment(launch);

    if (arguments == NULL || environment == NULL)
        return fail_with(reason, DOCA_ERROR_NO_MEMORY, "no memory for the worker's environment");
    arguments[0] = "urom_worker";
    arguments[1] = "--serve";
    memcpy(arguments + 2, received->string, count * sizeof(*arguments));
    (void)FAULT_CALL(launcher_execute, execve(program, arguments, environment));
    return fail_with(reason, DOCA_ERROR_OPERATING_SYSTEM,
            "%s could not be executed as user %u: %s; all users whose workers it runs must be able "
            "to read its file",
            program, (unsigned)geteuid(), strerror(errno));
}

/* The service's own ends of its pipes do not block; those of the new process do. */
static bool put_at(int fd, int number)
{
    int flags = fcntl(fd, F_GETFL);

    return flags >= 0 && fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0 && dup2(fd, number) == number;
}

static bool put_nothing_at(int number)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    bool is_put = nothing >= 0 && dup2(nothing, number) == number;

    if (nothing >= 0)
        close(nothing);
    return is_put;
}

static bool put_log(const struct received *received)
{
    if (received->request.flags & MONITOR_HAS_LOG)
        return dup2(received->descriptor[2], STDERR_FILENO) == STDERR_FILENO;
    return (received->request.flags & MONITOR_SHARES_LOG) || put_nothing_at(STDERR_FILENO);
}

static doca_error_t put_descriptors(const struct received *received, char reason[REASON_MAX])
{
    if (put_at(received->descriptor[0], STDIN_FILENO)
            && put_at(received->descriptor[1], STDOUT_FILENO) && put_log(received))
        return DOCA_SUCCESS;
    return fail_with(reason, DOCA_ERROR_OPERATING_SYSTEM,
            "the worker's standard descriptors could not be set: %s", strerror(errno));
}

static int counters_of(const struct received *received)
{
    return received->request.flags & MONITOR_HAS_COUNTERS
            ? received->descriptor[received->descriptors - 1]
            : -1;
}

static doca_error_t set_up(const struct wire_launch *launch, const struct received *received,
        pid_t parent, char reason[REASON_MAX])
{
    doca_error_t status = launch_files(launch, counters_of(received), reason);

    if (status == DOCA_SUCCESS)
        status = launch_directory(launch, reason);
    if (status == DOCA_SUCCESS)
        status = launch_inheritance(launch, reason);
    if (status == DOCA_SUCCESS)
        status = launch_user(launch, reason);
    if (status == DOCA_SUCCESS)
        status = launch_keyring(reason);
    if (status == DOCA_SUCCESS)
        status = launch_limits(launch, reason);
    if (status == DOCA_SUCCESS && !launch_end_with(parent)) /* again: the user has changed */
        status = fail_with(reason, DOCA_ERROR_SHUTDOWN, "the launcher has exited");
    return status;
}

int launch(const char *program, const struct received *received, pid_t parent)
{
    static uint8_t bytes[WIRE_CONTROL_MAX];
    char reason[REASON_MAX] = "";
    struct wire_frame frame;
    doca_error_t status;

    FAULT_REACH(launcher_begun);
    status = put_descriptors(received, reason);
    if (status == DOCA_SUCCESS)
        status = launch_leave_terminal(reason);
    if (status == DOCA_SUCCESS)
        status = pipe_read_frame(STDIN_FILENO, WIRE_LAUNCH, bytes, sizeof(bytes), &frame, reason);
    FAULT_REACH(launcher_configured);
    if (status == DOCA_SUCCESS)
        status = set_up(&frame.launch, received, parent, reason);
    if (status == DOCA_SUCCESS)
        status = execute_worker(program, &frame.launch, received, reason);
    fprintf(stderr, "The worker was not launched: %s\n", reason);
    pipe_write_error(STDOUT_FILENO, status, reason);
    return EXIT_FAILURE;
}

int launch_other(const char *program, const struct received *received)
{
    const struct monitor_request *request = &received->request;
    const bool probes = request->kind == MONITOR_PROBE;
    char user[NUMBER_MAX];
    char *arguments[] = { "urom_worker", "--sweep", user, NULL };

    snprintf(user, sizeof(user), "%u", request->user);
    if (probes) {
        arguments[1] = request->flags & MONITOR_AS_NOBODY ? "--probe-as-nobody" : "--probe";
        arguments[2] = received->string[0];
    }
    if (probes ? put_at(received->descriptor[0], STDOUT_FILENO)
                            && put_at(received->descriptor[0], STDERR_FILENO)
               : put_nothing_at(STDERR_FILENO))
        execve(program, arguments, probes ? (char **)received->string + 1 : environ);
    fprintf(stderr, "%s could not be executed: %s\n", program, strerror(errno));
    return EXIT_FAILURE;
}
