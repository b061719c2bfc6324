/* SPDX-License-Identifier: Apache-2.0 */
/* Access to another process's memory through the kernel. */
#ifndef JUROM_PROCESS_MEMORY_H_
#define JUROM_PROCESS_MEMORY_H_

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <doca_error.h>

/*
 * Copies `length` bytes from `address` of `process`. NOT_PERMITTED: the kernel denies access.
 * NOT_SUPPORTED: the kernel lacks the system call. IO_FAILED: no such process or memory; some bytes
 * may have been copied.
 */
doca_error_t process_memory_read(pid_t process, void *to, uint64_t address, size_t length);

/* Copies likewise to `address` of `process`. */
doca_error_t process_memory_write(pid_t process, const void *from, uint64_t address, size_t length);

#endif /* JUROM_PROCESS_MEMORY_H_ */
