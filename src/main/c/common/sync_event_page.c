/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Location of the counter. The counter of an event with a remote location is in a page of anonymous
 * shared memory, which an importer opens through /proc: the kernel permits that to the same user.
 * Then each side keeps the page, whichever process exits first.
 */
#include "sync_event_page.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "sdk_log.h"
#include "shared_page.h"

SDK_LOG_REGISTER(DOCA::SYNC_EVENT)

#define NAME "doca_sync_event"

/* Maps the page of event->page_fd. */
static doca_error_t map_page(struct doca_sync_event *event)
{
    void *page = mmap(
            NULL, SHARED_PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, event->page_fd, 0);

    if (page == MAP_FAILED)
        return DOCA_ERROR_OPERATING_SYSTEM;
    event->page = page;
    return DOCA_SUCCESS;
}

void sync_event_free_page(struct doca_sync_event *event)
{
    if (event->page != NULL)
        munmap(event->page, SHARED_PAGE_SIZE);
    if (event->page_fd >= 0)
        close(event->page_fd);
    event->page = NULL;
    event->page_fd = -1;
    free(event->descriptor);
    event->descriptor = NULL;
}

/* Creates a page that is sealed against shrinking, which would kill an importer with SIGBUS. */
static doca_error_t make_page(struct doca_sync_event *event)
{
    doca_error_t status = DOCA_ERROR_OPERATING_SYSTEM;

    event->page_fd = shared_page_create(NAME);
    if (event->page_fd >= 0 && fcntl(event->page_fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0)
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

doca_error_t sync_event_open_page(struct doca_sync_event *event, uint64_t process, uint32_t page_fd,
        const uint8_t cookie[SYNC_EVENT_COOKIE_SIZE])
{
    int exporter = shared_page_open_process(process);
    doca_error_t status;

    if (exporter < 0)
        return DOCA_ERROR_NOT_FOUND;
    event->page_fd = shared_page_open(exporter, page_fd, NAME, F_SEAL_SHRINK, O_RDWR);
    close(exporter);
    if (event->page_fd < 0)
        return DOCA_ERROR_NOT_FOUND;
    status = map_page(event);
    if (status != DOCA_SUCCESS)
        return status;
    if (memcmp(event->page->cookie, cookie, SYNC_EVENT_COOKIE_SIZE) != 0)
        return DOCA_ERROR_NOT_FOUND;
    return DOCA_SUCCESS;
}
