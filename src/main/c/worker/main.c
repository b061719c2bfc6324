/* SPDX-License-Identifier: Apache-2.0 */
/*
 * urom_worker: the process that hosts plugins and runs commands. Started by the service.
 *
 *     urom_worker --monitor PROGRAM         starts processes of the program for a service
 *     urom_worker --serve SO_PATH:ID...     serves hosts until its standard input ends
 *     urom_worker --probe FILE              prints files and properties of the plugin, or an error
 *     urom_worker --probe-as-nobody FILE    the same, as an unprivileged user
 *     urom_worker --sweep USER              as that user, removes files of its killed processes
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ucx/segments.h>

#include "launch_inheritance.h"
#include "launch_user.h"
#include "monitor.h"
#include "plugin.h"
#include "serve.h"

#define USAGE_STATUS 2
#define OUTPUT_MAX (1 << 20) /* bytes that a probe prints */

static doca_error_t print_file(void *reason, const char *path)
{
    if (strchr(path, '\n') != NULL)
        return fail_with(reason, DOCA_ERROR_INVALID_VALUE, "%s has a line break in its name", path);
    printf("file=%s\n", path);
    return DOCA_SUCCESS;
}

static int probe(const char *path, bool as_nobody)
{
    char reason[REASON_MAX] = "";
    struct plugin plugin;
    uint64_t version = 0;
    doca_error_t status = launch_leave_terminal(reason);

    fcntl(STDOUT_FILENO, F_SETPIPE_SZ, OUTPUT_MAX); /* the service reads after the exit */
    if (status == DOCA_SUCCESS && as_nobody)
        status = launch_as_nobody(reason);
    if (status == DOCA_SUCCESS)
        status = launch_keyring(reason);
    if (status == DOCA_SUCCESS)
        status = plugin_load(&plugin, path, reason);
    if (status == DOCA_SUCCESS)
        status = plugin_version(&plugin, &version, reason);
    if (status == DOCA_SUCCESS)
        status = plugin_files(&plugin, print_file, reason);
    if (status != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", reason);
        return EXIT_FAILURE;
    }
    printf("version=%" PRIu64 "\nucx=%s\n", version, plugin_uses_ucx(&plugin) ? "yes" : "no");
    return EXIT_SUCCESS;
}

/* Acts as the user with this number, so that it cannot remove files of other users. */
static int sweep(const char *number)
{
    char reason[REASON_MAX] = "";
    char *end;
    unsigned long user = strtoul(number, &end, 10);
    doca_error_t status;

    if (end == number || *end != '\0' || user >= (uid_t)-1) /* which would keep this user */
        return USAGE_STATUS;
    status = launch_as((uid_t)user, reason);
    if (status != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", reason);
        return EXIT_FAILURE;
    }
    segments_sweep();
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--monitor") == 0)
        return monitor(argv[2]);
    if (argc >= 2 && strcmp(argv[1], "--serve") == 0)
        return serve(argc - 2, argv + 2);
    if (argc == 3 && strcmp(argv[1], "--probe") == 0)
        return probe(argv[2], false);
    if (argc == 3 && strcmp(argv[1], "--probe-as-nobody") == 0)
        return probe(argv[2], true);
    if (argc == 3 && strcmp(argv[1], "--sweep") == 0)
        return sweep(argv[2]);
    fprintf(stderr, "Only the UROM service starts workers. Usage: urom_worker --probe FILE\n");
    return USAGE_STATUS;
}
