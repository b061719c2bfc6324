/* SPDX-License-Identifier: Apache-2.0 */
#include "temporary_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "input.h"

static void remove_folder(const char *name)
{
    DIR *folder = opendir(name);
    struct dirent *file;

    if (folder == NULL)
        return;
    while ((file = readdir(folder)) != NULL)
        unlinkat(dirfd(folder), file->d_name, 0); /* fails for . and .. */
    closedir(folder);
    rmdir(name);
}

/* In a separate process, since libFuzzer exits by _exit after a finding. */
void make_temporary_folder(char *name)
{
    int ends[2];
    char nothing;

    require(mkdtemp(name) != NULL && pipe2(ends, O_CLOEXEC) == 0);
    switch (fork()) {
    case -1:
        abort();
    case 0:
        setsid(); /* a signal to the fuzzer must not kill this process */
        close(ends[1]);
        (void)!read(ends[0], &nothing, 1); /* until the fuzzer exits */
        remove_folder(name);
        _exit(0);
    default:
        close(ends[0]);
    }
}
