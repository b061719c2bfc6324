/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <faults/faults.h>

#include "counters.h"
#include "process_start.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

#define PRIVATE 0600 /* read and write for the owner only */
#define SEALS (F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL)

/* Allocates all blocks: a store that finds the disk full would kill the process with SIGBUS. */
static bool fill(int fd)
{
    errno = FAULT_CALL_OR(counters_fill, errno, posix_fallocate(fd, 0, sizeof(struct counters)));
    return errno == 0;
}

int counters_make_file(int directory, const char *name)
{
    const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int fd = FAULT_CALL(counters_make, openat(directory, name, flags, PRIVATE));
    int error;

    if (fd < 0 || fill(fd))
        return fd;
    error = errno;
    close(fd);
    unlinkat(directory, name, 0);
    errno = error;
    return -1;
}

/* MFD_NOEXEC_SEAL: some systems reject executable memfds. Older kernels do not know the flag. */
static int create_memfd(void)
{
    unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
    int fd = FAULT_CALL(counters_make, memfd_create("jurom_counters", flags | MFD_NOEXEC_SEAL));

    if (fd < 0 && errno == EINVAL)
        fd = memfd_create("jurom_counters", flags);
    return fd;
}

int counters_make_memory(int empty)
{
    int fd = empty >= 0 ? empty : create_memfd();

    if (fd >= 0 && (!fill(fd) || fcntl(fd, F_ADD_SEALS, SEALS) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static struct counters *map(struct counters *address, int flags, int fd)
{
    void *mapped = FAULT_CALL_OR(counters_map, MAP_FAILED,
            mmap(address, sizeof(struct counters), PROT_READ | PROT_WRITE, flags, fd, 0));

    return mapped == MAP_FAILED ? NULL : mapped;
}

/* Maps at `address`, or anywhere if it is NULL. */
static struct counters *map_file(struct counters *address, int fd)
{
    const int flags = MAP_SHARED | (address == NULL ? 0 : MAP_FIXED);
    struct stat status;

    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)
            || status.st_size != (off_t)sizeof(struct counters))
        return NULL;
    return map(address, flags, fd);
}

struct counters *counters_map(int fd)
{
    struct counters *counters = map_file(NULL, fd);

    close(fd);
    return counters;
}

bool counters_map_over(struct counters *pages, int fd)
{
    return map_file(pages, fd) != NULL;
}

/* Async-signal-safe. If no memory for three pages is available, the file stays mapped. */
void counters_detach(struct counters *counters)
{
    const struct counters copy = *counters;

    if (map(counters, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1) != NULL)
        *counters = copy;
}

struct counters *counters_map_private(void)
{
    return map(NULL, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

void counters_unmap(struct counters *counters)
{
    if (counters != NULL)
        munmap(counters, sizeof(*counters));
}

void counters_begin(
        struct counters *counters, enum counters_kind kind, uint64_t number, const char *label)
{
    struct timespec now;
    uint64_t magic;

    clock_gettime(CLOCK_REALTIME, &now);
    counters->version = COUNTERS_VERSION;
    counters->kind = kind;
    counters->size = sizeof(*counters);
    counters->process_id = (uint64_t)getpid();
    counters->process_start = counters_process_start(counters->process_id);
    counters->began_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    counters->number = number;
    counters->ticks_per_second = counters_ticks_per_second();
    counters->values[COUNTERS_LEFT] = 1; /* time the first command */
    snprintf(counters->label, sizeof(counters->label), "%s", label);
    memcpy(&magic, COUNTERS_MAGIC, sizeof(magic));
    __atomic_store_n((uint64_t *)(void *)counters->magic, magic, __ATOMIC_RELEASE);
}
