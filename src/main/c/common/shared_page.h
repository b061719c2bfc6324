/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pages of anonymous memory (memfds) that another process of the same user opens through /proc, by
 * the process id and the descriptor number of its creator.
 */
#ifndef JUROM_SHARED_PAGE_H_
#define JUROM_SHARED_PAGE_H_

#include <stdint.h>

#define SHARED_PAGE_SIZE 4096

/*
 * Creates and allocates a page with the name `name`. Without the allocation, a write would kill the
 * process if the system had no memory left. Returns a descriptor that exec closes, or -1 with
 * errno.
 */
int shared_page_create(const char *name);

/* Opens the folder of a process in /proc; -1: there is no such process. */
int shared_page_open_process(uint64_t process);

/*
 * Opens the page at descriptor `page_fd` of a process with the access mode O_RDONLY or O_RDWR. -1:
 * the kernel denies it, or the descriptor is not a page of that name and with all of `seals` that
 * this user has created.
 */
int shared_page_open(int process, uint32_t page_fd, const char *name, int seals, int access);

#endif /* JUROM_SHARED_PAGE_H_ */
