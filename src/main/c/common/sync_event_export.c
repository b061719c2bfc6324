/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the counter is, and how another process of this machine (the software DOCA's other side of
 * PCI) gets at it.
 *
 * The counter of an event with a remote location lives in a page of shared memory without a name.
 * An export descriptor says which descriptor of which process that page is, and what cookie is in
 * it; an import opens it through /proc, which the kernel allows to the same user. From then on both
 * sides have the page, whoever ends first.
 */
#include "sync_event.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::SYNC_EVENT)

#define SHARED_NAME        "doca_sync_event"
#define SHARED_SIZE        4096 /* a page */
#define COOKIE_SIZE        16
#define DESCRIPTOR_MAGIC   "juromEVT"
#define DESCRIPTOR_VERSION 1

struct sync_event_page {
    uint64_t value;
    uint8_t cookie[COOKIE_SIZE];
};

struct descriptor {
    char magic[8];
    uint32_t version;
    uint32_t page_fd; /* in the exporter */
    uint64_t process;
    uint8_t cookie[COOKIE_SIZE];
};

/* Maps the page behind event->page_fd. */
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

/* Makes a page that nobody can shrink: an importer would die of it. */
static doca_error_t make_page(struct doca_sync_event *event)
{
    doca_error_t result = DOCA_ERROR_OPERATING_SYSTEM;

    event->page_fd = memfd_create(SHARED_NAME, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (event->page_fd >= 0 && ftruncate(event->page_fd, SHARED_SIZE) == 0
            && fcntl(event->page_fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0)
        result = map_page(event);
    if (result == DOCA_SUCCESS
            && getrandom(event->page->cookie, COOKIE_SIZE, 0) != COOKIE_SIZE)
        result = DOCA_ERROR_OPERATING_SYSTEM;
    if (result != DOCA_SUCCESS) {
        SDK_LOG_ERR("No shared memory could be made for the sync event: %m");
        sync_event_free_page(event);
    }
    return result;
}

/* The counter is set to 0 by a start, unless its memory is the application's or an exporter's. */
doca_error_t sync_event_open_value(struct doca_sync_event *event)
{
    doca_error_t result = DOCA_SUCCESS;

    sync_event_close_value(event);
    if (event->is_imported) {
        event->value = &event->page->value;
    } else if (event->address != NULL) {
        event->value = event->address;
    } else if (event->is_shared) {
        result = make_page(event);
        if (result == DOCA_SUCCESS)
            event->value = &event->page->value;
    } else {
        event->own = 0;
        event->value = &event->own;
    }
    return result;
}

void sync_event_close_value(struct doca_sync_event *event)
{
    while (atomic_load(&event->users) > 0)
        sched_yield();
    event->value = NULL;
    if (!event->is_imported)
        sync_event_free_page(event);
}

doca_error_t doca_sync_event_export_to_remote_pci(struct doca_sync_event *event,
        struct doca_dev *dev, const uint8_t **data, size_t *sz)
{
    struct descriptor descriptor = {
        .magic = DESCRIPTOR_MAGIC,
        .version = DESCRIPTOR_VERSION,
        .process = (uint64_t)getpid(),
    };

    if (event == NULL || dev == NULL || data == NULL || sz == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (!sync_event_is_started(event))
        return DOCA_ERROR_BAD_STATE;
    if (event->is_imported || !event->is_shared) {
        SDK_LOG_DBG("The sync event has no remote PCI location: add one before starting it");
        return DOCA_ERROR_NOT_PERMITTED;
    }
    if (event->page == NULL) {
        SDK_LOG_DBG("The sync event's counter is in the application's memory, which no other "
                "process can update: leave out doca_sync_event_set_addr and _set_doca_buf");
        return DOCA_ERROR_NOT_SUPPORTED;
    }
    if (event->descriptor == NULL)
        event->descriptor = malloc(sizeof(descriptor));
    if (event->descriptor == NULL)
        return DOCA_ERROR_NO_MEMORY;

    descriptor.page_fd = (uint32_t)event->page_fd;
    memcpy(descriptor.cookie, event->page->cookie, COOKIE_SIZE);
    memcpy(event->descriptor, &descriptor, sizeof(descriptor));
    *data = event->descriptor;
    *sz = sizeof(descriptor);
    return DOCA_SUCCESS;
}

/* Opens the exporter's page; -1 when there is none, or something else is in its place. */
static int open_page(const struct descriptor *descriptor)
{
    char path[64], target[PATH_MAX];
    struct stat status;
    ssize_t length;
    int fd, seals;

    snprintf(path, sizeof(path), "/proc/%lu/fd/%u", (unsigned long)descriptor->process,
            descriptor->page_fd);
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

static doca_error_t import_page(struct doca_sync_event *event,
        const struct descriptor *descriptor)
{
    doca_error_t result;

    event->page_fd = open_page(descriptor);
    if (event->page_fd < 0)
        return DOCA_ERROR_NOT_FOUND;
    result = map_page(event);
    if (result != DOCA_SUCCESS)
        return result;
    if (memcmp(event->page->cookie, descriptor->cookie, COOKIE_SIZE) != 0)
        return DOCA_ERROR_NOT_FOUND;
    return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_create_from_export(struct doca_dev *dev, const uint8_t *data,
        size_t sz, struct doca_sync_event **event)
{
    struct descriptor descriptor;
    struct doca_sync_event *imported;
    doca_error_t result;

    if (dev == NULL || data == NULL || event == NULL || sz != sizeof(descriptor))
        return DOCA_ERROR_INVALID_VALUE;
    memcpy(&descriptor, data, sizeof(descriptor));
    if (memcmp(descriptor.magic, DESCRIPTOR_MAGIC, sizeof(descriptor.magic)) != 0)
        return DOCA_ERROR_INVALID_VALUE;
    if (descriptor.version != DESCRIPTOR_VERSION)
        return DOCA_ERROR_UNSUPPORTED_VERSION;
    result = doca_sync_event_create(&imported);
    if (result != DOCA_SUCCESS)
        return result;

    doca_sync_event_add_publisher_location_cpu(imported, dev);
    doca_sync_event_add_subscriber_location_cpu(imported, dev);
    imported->is_imported = true;
    result = import_page(imported, &descriptor);
    if (result != DOCA_SUCCESS) {
        SDK_LOG_ERR("The sync event's exporter, process %lu, is not on this machine, is another "
                "user's, or destroyed the event", (unsigned long)descriptor.process);
        doca_sync_event_destroy(imported);
        return result;
    }
    *event = imported;
    return DOCA_SUCCESS;
}
