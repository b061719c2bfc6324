/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <common/sdk_log.h>
#include <faults/faults.h>

#include "launcher.h"
#include "log_file.h"

SDK_LOG_REGISTER(UROM::WORKER::LOG)

#define PIECE 65536

void log_file_open(struct log_file *log, uint32_t limit)
{
    const char *level = secure_getenv("UROM_WORKER_LOG_LEVEL");
    struct doca_log_backend *own;

    log->limit = limit;
    if (limit > 0)
        fcntl(LAUNCHED_OLDER_LOG, F_SETFD, FD_CLOEXEC);
    /* One for the plugins, one for the worker itself. */
    doca_log_backend_create_standard();
    doca_log_backend_create_with_file_sdk(stderr, &own);
    if (level == NULL)
        return;
    doca_log_level_set_global_lower_limit((uint32_t)atoi(level));
    doca_log_level_set_global_sdk_limit((uint32_t)atoi(level));
}

/* The first `length` bytes of the log, as far as the disk has room; errno says why not all. */
static bool keep(int64_t length)
{
    static char piece[PIECE];
    int64_t at = 0;

    if (ftruncate(LAUNCHED_OLDER_LOG, 0) != 0)
        return false;
    while (at < length) {
        ssize_t got = pread(STDERR_FILENO, piece, sizeof(piece), at);

        if (got <= 0)
            return got == 0;
        if (FAULT_TRANSFER(log_keep, write(LAUNCHED_OLDER_LOG, piece,
                    FAULT_LENGTH(log_keep, (size_t)got))) != got)
            return false;
        at += got;
    }
    return true;
}

void log_file_check(const struct log_file *log)
{
    struct stat now;
    bool kept;
    int reason;

    if (log->limit == 0 || fstat(STDERR_FILENO, &now) != 0 || now.st_size <= log->limit)
        return;
    kept = keep(now.st_size);
    reason = errno;
    if (ftruncate(STDERR_FILENO, 0) != 0)
        return;
    if (!kept)
        SDK_LOG_WARN("The log before this line could not be kept: %s", strerror(reason));
}
