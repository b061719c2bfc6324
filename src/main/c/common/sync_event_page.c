/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Location of the counter. The counter of an event with a remote location is in a page of anonymous
 * shared memory, which an importer opens through /proc: the kernel permits that to the same user.
 * Then each side keeps the page, whichever process exits first.
 */
#include "sync_event.h"

#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::SYNC_EVENT)

#define SHARED_NAME "doca_sync_event"
#define SHARED_SIZE 4096 /* one page */

/* Maps the page of event->page_fd. */
static doca_error_t map_page(struct doca_sync_event *event)
{
    void *page = mmap(NULL, SHARED_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, event->page_fd, 0);

    if (page == MAP_FAILED)
        return DOCA_ERROR_OPERATING_SYSTEM;
    event->page = page;
    return DOCA_SUCCESS;
}

void sync_event_free_page(struct doca_sync_event *event)
{
    if (event->page != NULL)
        munmap(event->page, SHARED_SIZE);
    if (event->page_fd >= 0)
        close(event->page_fd);
    event->page = NULL;
    event->page_fd = -1;
    free(event->descriptor);
    event->descriptor = NULL;
}

/*
 * Creates a page that is sealed against shrinking, which would kill an importer with SIGBUS. The
 * page is allocated here: a write that needs a page when the system has none would do the same.
 */
static doca_error_t make_page(struct doca_sync_event *event)
{
    doca_error_t status = DOCA_ERROR_OPERATING_SYSTEM;

    event->page_fd = memfd_create(SHARED_NAME, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (event->page_fd >= 0 && fallocate(event->page_fd, 0, 0, SHARED_SIZE) == 0
            && fcntl(event->page_fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0)
        status = map_page(event);
    if (status == DOCA_SUCCESS
            && getrandom(event->page->cookie, SYNC_EVENT_COOKIE_SIZE, 0) != SYNC_EVENT_COOKIE_SIZE)
        status = DOCA_ERROR_OPERATING_SYSTEM;
    if (status != DOCA_SUCCESS) {
        SDK_LOG_ERR("The sync event's shared memory could not be created: %m");
        sync_event_free_page(event);
    }
    return status;
}

/* A start sets the counter to 0 unless its memory belongs to the application or to an exporter. */
doca_error_t sync_event_open_value(struct doca_sync_event *event)
{
    doca_error_t status = DOCA_SUCCESS;

    sync_event_close_value(event);
    if (event->is_imported) {
        event->value = &event->page->value;
    } else if (event->address != NULL) {
        event->value = event->address;
    } else if (event->is_shared) {
        status = make_page(event);
        if (status == DOCA_SUCCESS)
            event->value = &event->page->value;
    } else {
        event->own = 0;
        event->value = &event->own;
    }
    return status;
}

void sync_event_close_value(struct doca_sync_event *event)
{
    while (atomic_load(&event->users) > 0)
        sched_yield();
    event->value = NULL;
    if (!event->is_imported)
        sync_event_free_page(event);
}

/* Opens the exporter's page; -1: it does not exist, or the descriptor is another file. */
static int open_memory(uint64_t process, uint32_t page_fd)
{
    char path[64], target[PATH_MAX];
    struct stat status;
    ssize_t length;
    int fd, seals;

    snprintf(path, sizeof(path), "/proc/%lu/fd/%u", (unsigned long)process, page_fd);
    length = readlink(path, target, sizeof(target) - 1);
    if (length < 0)
        return -1;
    target[length] = '\0';
    if (strncmp(target, "/memfd:" SHARED_NAME, strlen("/memfd:" SHARED_NAME)) != 0)
        return -1;
    fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return -1;
    seals = fcntl(fd, F_GET_SEALS);
    if (fstat(fd, &status) == 0 && status.st_size == SHARED_SIZE && seals >= 0
            && (seals & F_SEAL_SHRINK) != 0)
        return fd;
    close(fd);
    return -1;
}

doca_error_t sync_event_open_page(struct doca_sync_event *event, uint64_t process, uint32_t page_fd,
        const uint8_t cookie[SYNC_EVENT_COOKIE_SIZE])
{
    doca_error_t status;

    event->page_fd = open_memory(process, page_fd);
    if (event->page_fd < 0)
        return DOCA_ERROR_NOT_FOUND;
    status = map_page(event);
    if (status != DOCA_SUCCESS)
        return status;
    if (memcmp(event->page->cookie, cookie, SYNC_EVENT_COOKIE_SIZE) != 0)
        return DOCA_ERROR_NOT_FOUND;
    return DOCA_SUCCESS;
}
