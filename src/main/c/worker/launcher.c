/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing is freed: the process either executes the program again or exits. */
#include <errno.h>
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

static doca_error_t execute_second_stage(
        const struct wire_launch *launch, int count, char **plugins, char reason[REASON_MAX])
{
    char **arguments = calloc((size_t)count + OWN_ARGUMENTS, sizeof(*arguments));
    char **environment = split_environment(launch);
    int used = 0;

    if (arguments == NULL || environment == NULL)
        return fail_with(reason, DOCA_ERROR_NO_MEMORY, "no memory for the worker's environment");
    arguments[used++] = "urom_worker";
    arguments[used++] = "--serve";
    memcpy(arguments + used, plugins, (size_t)count * sizeof(*plugins));
    (void)FAULT_CALL(launcher_execute, execve("/proc/self/exe", arguments, environment));
    return fail_with(reason, DOCA_ERROR_OPERATING_SYSTEM,
            "urom_worker could not be executed as user %u: %s; all users whose workers it runs "
            "must be able to read its file",
            (unsigned)geteuid(), strerror(errno));
}

static doca_error_t do_launch(int count, char **plugins, char reason[REASON_MAX])
{
    static uint8_t bytes[WIRE_CONTROL_MAX];
    struct wire_frame frame;
    doca_error_t status;

    status = launch_leave_terminal(reason);
    if (status == DOCA_SUCCESS)
        status = pipe_read_frame(STDIN_FILENO, WIRE_LAUNCH, bytes, sizeof(bytes), &frame, reason);
    FAULT_REACH(launcher_configured);
    if (status == DOCA_SUCCESS)
        status = launch_files(&frame.launch, reason);
    if (status == DOCA_SUCCESS)
        status = launch_directory(&frame.launch, reason);
    if (status == DOCA_SUCCESS)
        status = launch_inheritance(&frame.launch, reason);
    if (status == DOCA_SUCCESS)
        status = launch_user(&frame.launch, reason);
    if (status == DOCA_SUCCESS)
        status = launch_keyring(reason);
    if (status == DOCA_SUCCESS)
        status = launch_limits(&frame.launch, reason);
    return status == DOCA_SUCCESS ? execute_second_stage(&frame.launch, count, plugins, reason)
                                  : status;
}

int launch(int count, char **plugins)
{
    char reason[REASON_MAX] = "";
    doca_error_t status;

    FAULT_REACH(launcher_begun);
    status = do_launch(count, plugins, reason);
    fprintf(stderr, "The worker was not launched: %s\n", reason);
    pipe_write_error(STDOUT_FILENO, status, reason);
    return EXIT_FAILURE;
}
