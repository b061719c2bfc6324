/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /proc/PID/mem stands for the memory that it was opened for: after the process has exited or runs
 * another program, it is empty. A process id may name another process by then.
 */
#include <faults/faults.h>

#include "process_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#define CHUNK ((size_t)1 << 30) /* bytes per call; the kernel's limit is just below 2 GiB */
#define BULK ((size_t)32 << 10) /* from here, process_vm_readv is faster than pread */

/* Returns the number of bytes copied, or -1. */
typedef ssize_t transfer_function(
        const struct process_memory *memory, void *local, uint64_t address, size_t length);

doca_error_t process_memory_open(int directory, pid_t process, struct process_memory *memory)
{
    memory->process = process;
    memory->fd = openat(directory, "mem", O_RDWR | O_CLOEXEC);
    if (memory->fd >= 0)
        return DOCA_SUCCESS;
    return errno == EACCES || errno == EPERM ? DOCA_ERROR_NOT_PERMITTED : DOCA_ERROR_NOT_FOUND;
}

void process_memory_close(const struct process_memory *memory)
{
    close(memory->fd);
}

/* A read of an existing process's address 0 fails; without a process, it meets the end of file. */
bool process_memory_exists(const struct process_memory *memory)
{
    char byte;

    return pread(memory->fd, &byte, sizeof(byte), 0) != 0;
}

static ssize_t read_part(
        const struct process_memory *memory, void *local, uint64_t address, size_t length)
{
    return pread(memory->fd, local, length, (off_t)address);
}

static ssize_t write_part(
        const struct process_memory *memory, void *local, uint64_t address, size_t length)
{
    return pwrite(memory->fd, local, length, (off_t)address);
}

static ssize_t read_bulk(
        const struct process_memory *memory, void *local, uint64_t address, size_t length)
{
    struct iovec to = { local, length }, from = { (void *)(uintptr_t)address, length };

    return process_vm_readv(memory->process, &to, 1, &from, 1, 0);
}

static doca_error_t transfer_all(transfer_function *transfer, const struct process_memory *memory,
        void *local, uint64_t address, size_t length)
{
    ssize_t done;

    while (length > 0) {
        size_t part = FAULT_LENGTH(exported_memory_copy, length < CHUNK ? length : CHUNK);

        done = FAULT_TRANSFER(exported_memory_copy, transfer(memory, local, address, part));
        if (done <= 0)
            return DOCA_ERROR_IO_FAILED;
        local = (char *)local + done;
        address += (uint64_t)done;
        length -= (size_t)done;
    }
    return DOCA_SUCCESS;
}

/*
 * A large read names the process by its id, and its result counts only if the process still exists
 * afterwards. A write could not be undone.
 */
doca_error_t process_memory_read(
        const struct process_memory *memory, void *to, uint64_t address, size_t length)
{
    if (length >= BULK && transfer_all(read_bulk, memory, to, address, length) == DOCA_SUCCESS
            && process_memory_exists(memory))
        return DOCA_SUCCESS;
    return transfer_all(read_part, memory, to, address, length);
}

doca_error_t process_memory_write(
        const struct process_memory *memory, const void *from, uint64_t address, size_t length)
{
    return transfer_all(write_part, memory, (void *)from, address, length);
}
