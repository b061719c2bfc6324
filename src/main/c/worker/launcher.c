/* SPDX-License-Identifier: Apache-2.0 */
/* See launcher.h. Nothing is freed here: either this program is executed, or it ends. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <faults/faults.h>

#include "activity.h"
#include "launcher.h"
#include "pipe_frame.h"

#define OWN_ARGUMENTS 4 /* name, --serve, the activity, NULL */

/* The strings of the frame, one by one. */
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

static doca_error_t become_second_stage(
        const struct wire_launch *launch, int count, char **plugins, char why[WHY_MAX])
{
    char **arguments = calloc((size_t)count + OWN_ARGUMENTS, sizeof(*arguments));
    char **environment = split_environment(launch);
    int used = 0;

    if (arguments == NULL || environment == NULL)
        return because(why, DOCA_ERROR_NO_MEMORY, "no memory for a worker's environment");
    arguments[used++] = "urom_worker";
    arguments[used++] = "--serve";
    arguments[used++] = ACTIVITY_OPTION ACTIVITY_NONE;
    memcpy(arguments + used, plugins, (size_t)count * sizeof(*plugins));
    (void)FAULT_CALL(launcher_execute, execve("/proc/self/exe", arguments, environment));
    return because(why, DOCA_ERROR_OPERATING_SYSTEM,
            "urom_worker could not be executed again, as "
            "user %u: %s. Its program must be readable to all users whose workers it runs.",
            (unsigned)geteuid(), strerror(errno));
}

static doca_error_t do_launch(int count, char **plugins, char why[WHY_MAX])
{
    static uint8_t bytes[WIRE_CONTROL_MAX];
    struct wire_frame frame;
    doca_error_t status;

    status = launch_leave_terminal(why);
    if (status == DOCA_SUCCESS)
        status = pipe_read_frame(STDIN_FILENO, WIRE_LAUNCH, bytes, sizeof(bytes), &frame, why);
    FAULT_REACH(launcher_configured);
    if (status == DOCA_SUCCESS)
        status = launch_files(&frame.launch, why);
    if (status == DOCA_SUCCESS)
        status = launch_inheritance(&frame.launch, why);
    if (status == DOCA_SUCCESS)
        status = launch_user(&frame.launch, why);
    if (status == DOCA_SUCCESS)
        status = launch_keyring(why);
    if (status == DOCA_SUCCESS)
        status = launch_limits(&frame.launch, why);
    if (status == DOCA_SUCCESS && chdir("/") != 0)
        status = because(why, DOCA_ERROR_OPERATING_SYSTEM, "a worker cannot change to /: %s",
                strerror(errno));
    return status == DOCA_SUCCESS ? become_second_stage(&frame.launch, count, plugins, why)
                                  : status;
}

int launch(int count, char **plugins)
{
    char why[WHY_MAX] = "";
    doca_error_t status;

    FAULT_REACH(launcher_begun);
    status = do_launch(count, plugins, why);
    fprintf(stderr, "The worker was not launched: %s\n", why);
    pipe_write_error(STDOUT_FILENO, status, why);
    return EXIT_FAILURE;
}
