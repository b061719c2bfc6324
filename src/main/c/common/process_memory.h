/* SPDX-License-Identifier: Apache-2.0 */
/* Access to another process's memory through the kernel. */
#ifndef JUROM_PROCESS_MEMORY_H_
#define JUROM_PROCESS_MEMORY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <doca_error.h>

/* The memory of the program that a process ran when it was opened. */
struct process_memory {
    pid_t process;
    int fd;
};

/*
 * Opens the memory of `process` by its folder in /proc. NOT_PERMITTED: the kernel denies access.
 * NOT_FOUND: the process has exited.
 */
doca_error_t process_memory_open(int directory, pid_t process, struct process_memory *memory);

/* Closes it. */
void process_memory_close(const struct process_memory *memory);

/* Returns whether the process still runs the program. */
bool process_memory_exists(const struct process_memory *memory);

/*
 * Copies `length` bytes from `address`. IO_FAILED: the process exited, runs another program or has
 * no such memory; some bytes may have been copied.
 */
doca_error_t process_memory_read(
        const struct process_memory *memory, void *to, uint64_t address, size_t length);

/* Copies likewise to `address`. */
doca_error_t process_memory_write(
        const struct process_memory *memory, const void *from, uint64_t address, size_t length);

#endif /* JUROM_PROCESS_MEMORY_H_ */
