/* SPDX-License-Identifier: Apache-2.0 */
/* Creation, validation and mapping of the memory of two rings. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <faults/faults.h>

#include "asymmetric_fence.h"
#include "ring_memory.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

_Static_assert(2 * sizeof(struct ring_control) + sizeof(struct ring_cancelled) <= 4096,
        "the controls and the cancelled ids fit into the smallest page");

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Returns the size of the file in bytes. */
static size_t file_size(size_t capacity)
{
    return page_size() + 2 * capacity;
}

static bool map_at(uint8_t *address, size_t length, int fd, size_t offset)
{
    return FAULT_CALL_OR(ring_memory_map, MAP_FAILED,
                   mmap(address, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
                           (off_t)offset))
            != MAP_FAILED;
}

/* Maps the control page once, and the data of each ring twice in a row. */
static bool map_parts(uint8_t *base, size_t capacity, int fd)
{
    uint8_t *next = base + page_size();
    bool mapped = map_at(base, page_size(), fd, 0);

    for (unsigned i = 0; i < 4 && mapped; i++, next += capacity)
        mapped = map_at(next, capacity, fd, page_size() + i / 2 * capacity);
    return mapped;
}

static struct ring ring_number(uint8_t *base, unsigned number, size_t capacity, bool asymmetric)
{
    return (struct ring){
        .control = (struct ring_control *)(void *)base + number,
        .data = base + page_size() + number * 2 * capacity,
        .capacity = capacity,
        .record_max = ring_record_max(capacity),
        .asymmetric = asymmetric,
    };
}

/* A child that is forked off has no business with it: there the memory is missing. */
static doca_error_t map_memory(int fd, size_t capacity, struct ring_memory *memory)
{
    size_t length = page_size() + 4 * capacity;
    bool asymmetric = asymmetric_fence_register();
    uint8_t *base = FAULT_CALL_OR(ring_memory_map, MAP_FAILED,
            mmap(NULL, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));

    if (base == MAP_FAILED)
        return DOCA_ERROR_NO_MEMORY;
    if (!map_parts(base, capacity, fd) || madvise(base, length, MADV_DONTFORK) != 0) {
        munmap(base, length);
        return DOCA_ERROR_NO_MEMORY;
    }
    *memory = (struct ring_memory){
        .base = base,
        .length = length,
        .rings = { ring_number(base, 0, capacity, asymmetric),
                ring_number(base, 1, capacity, asymmetric) },
        .cancelled = (struct ring_cancelled *)((struct ring_control *)(void *)base + 2),
    };
    return DOCA_SUCCESS;
}

/* Some systems permit only non-executable files; older kernels do not know the flag. */
static int new_memfd(void)
{
    unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
    int fd = FAULT_CALL(ring_memory_make, memfd_create("jurom_ring", flags | MFD_NOEXEC_SEAL));

    if (fd < 0 && errno == EINVAL)
        fd = memfd_create("jurom_ring", flags);
    return fd;
}

doca_error_t ring_memory_create(size_t capacity, struct ring_memory *memory, int *fd)
{
    int made = new_memfd();
    doca_error_t status = DOCA_ERROR_NO_MEMORY;

    if (made < 0)
        return DOCA_ERROR_NO_MEMORY;
    /* Allocates all pages now: a failure on access would kill the process. */
    if (FAULT_CALL(ring_memory_size, fallocate(made, 0, 0, (off_t)file_size(capacity))) == 0
            && FAULT_CALL(ring_memory_size, fcntl(made, F_ADD_SEALS, SEALS)) == 0)
        status = map_memory(made, capacity, memory);
    if (status == DOCA_SUCCESS)
        *fd = made;
    else
        close(made);
    return status;
}

/* Returns why a descriptor received from a peer is unusable, or NULL. */
static const char *objection(int fd, size_t size)
{
    int seals = fcntl(fd, F_GET_SEALS);
    struct statfs filesystem;
    struct stat status;

    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
        return "The descriptor that the peer sent for the rings is not a file.";
    if (fstatfs(fd, &filesystem) != 0 || filesystem.f_type != TMPFS_MAGIC)
        return "The memory of the rings that the peer sent is on disk or has huge pages.";
    if (seals < 0 || (seals & SEALS) != SEALS)
        return "The memory of the rings that the peer sent is not sealed.";
    if (status.st_size < 0 || (size_t)status.st_size != size)
        return "The memory of the rings that the peer sent does not have the agreed size.";
    return NULL;
}

doca_error_t ring_memory_open(
        int fd, size_t capacity, struct ring_memory *memory, const char **reason)
{
    doca_error_t status;

    *reason = objection(fd, file_size(capacity));
    if (*reason != NULL)
        return DOCA_ERROR_NOT_PERMITTED;
    status = map_memory(fd, capacity, memory);
    if (status != DOCA_SUCCESS)
        *reason = "The memory of the rings that the peer sent cannot be mapped.";
    return status;
}

void ring_memory_free(struct ring_memory *memory)
{
    if (memory->base != NULL)
        munmap(memory->base, memory->length);
    memory->base = NULL;
}
