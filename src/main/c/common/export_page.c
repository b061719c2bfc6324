/* SPDX-License-Identifier: Apache-2.0 */
#include "export_page.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::MMAP)

#define NAME "doca_mmap_exports"
#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL)

/* A page of this process. */
struct own_page {
    struct own_page *next;
    struct export_page *page;
    int fd;
};

static struct own_page *pages;

static bool cookies_differ(const uint64_t *first, const uint64_t *second)
{
    uint64_t difference = 0;

    for (unsigned i = 0; i < EXPORT_COOKIE_WORDS; ++i)
        difference |= first[i] ^ second[i];
    return difference != 0;
}

bool export_reference_equals(
        const struct export_reference *first, const struct export_reference *second)
{
    return first->process == second->process && first->page_fd == second->page_fd
            && first->slot == second->slot && !cookies_differ(first->cookie, second->cookie);
}

/* The seal against future writers leaves this mapping writable, which children do not inherit. */
static bool map_and_seal(struct own_page *own)
{
    void *page = mmap(NULL, SHARED_PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, own->fd, 0);

    if (page == MAP_FAILED)
        return false;
    own->page = page;
    own->page->process = (uint64_t)getpid();
    return madvise(page, SHARED_PAGE_SIZE, MADV_DONTFORK) == 0
            && fcntl(own->fd, F_ADD_SEALS, SEALS) == 0;
}

static void free_page(struct own_page *own)
{
    if (own->page != NULL)
        munmap(own->page, SHARED_PAGE_SIZE);
    if (own->fd >= 0)
        close(own->fd);
    free(own);
}

/* Adds a page without exports; NULL: the system cannot provide it. */
static struct own_page *add_page(void)
{
    struct own_page *own = calloc(1, sizeof(*own));

    if (own == NULL)
        return NULL;
    own->fd = shared_page_create(NAME);
    if (own->fd < 0 || !map_and_seal(own)) {
        SDK_LOG_ERR("The shared memory that lists exported memory maps could not be created: %m");
        free_page(own);
        return NULL;
    }
    own->next = pages;
    pages = own;
    return own;
}

static bool is_free(const struct export_slot *slot)
{
    return atomic_load(&slot->cookie[0]) == 0 && atomic_load(&slot->cookie[1]) == 0;
}

/* Returns the page with a free slot, and its number. */
static struct own_page *find_free(uint32_t *number)
{
    for (struct own_page *own = pages; own != NULL; own = own->next)
        for (*number = 0; *number < EXPORT_SLOTS; ++*number)
            if (is_free(&own->page->slots[*number]))
                return own;
    *number = 0;
    return add_page();
}

/* The cookie comes last, and goes first: with it, importers find a whole range. */
doca_error_t export_page_add(const struct export_range *range, struct export_slot **slot,
        struct export_reference *reference)
{
    struct own_page *own = find_free(&reference->slot);
    const ssize_t size = sizeof(reference->cookie);

    if (own == NULL || getrandom(reference->cookie, (size_t)size, 0) != size)
        return DOCA_ERROR_OPERATING_SYSTEM;

    reference->process = own->page->process;
    reference->page_fd = (uint32_t)own->fd;
    *slot = &own->page->slots[reference->slot];
    atomic_store(&(*slot)->address, range->address);
    atomic_store(&(*slot)->length, range->length);
    atomic_store(&(*slot)->permissions, range->permissions);
    atomic_store(&(*slot)->origin, range->origin);
    for (unsigned i = 0; i < EXPORT_COOKIE_WORDS; ++i)
        atomic_store(&(*slot)->cookie[i], reference->cookie[i]);
    return DOCA_SUCCESS;
}

void export_page_remove(struct export_slot *slot)
{
    for (unsigned i = 0; i < EXPORT_COOKIE_WORDS; ++i)
        atomic_store(&slot->cookie[i], 0);
}

void export_page_leave(void)
{
    struct own_page *own;

    while ((own = pages) != NULL) {
        pages = own->next;
        own->page = NULL; /* not mapped here */
        free_page(own);
    }
}

const struct export_page *export_page_open(int directory, uint64_t process, uint32_t page_fd)
{
    int fd = shared_page_open(directory, page_fd, NAME, SEALS, O_RDONLY);
    const struct export_page *page;

    if (fd < 0)
        return NULL;
    page = mmap(NULL, SHARED_PAGE_SIZE, PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    if (page == MAP_FAILED)
        return NULL;
    if (page->process == process)
        return page;
    export_page_close(page);
    return NULL;
}

void export_page_close(const struct export_page *page)
{
    munmap((void *)page, SHARED_PAGE_SIZE);
}

bool export_page_contains(const struct export_page *page, const struct export_reference *reference)
{
    const struct export_slot *slot = &page->slots[reference->slot];
    uint64_t cookie[EXPORT_COOKIE_WORDS];

    for (unsigned i = 0; i < EXPORT_COOKIE_WORDS; ++i)
        cookie[i] = atomic_load(&slot->cookie[i]);
    return !cookies_differ(cookie, reference->cookie);
}

bool export_page_read(const struct export_page *page, const struct export_reference *reference,
        struct export_range *range)
{
    const struct export_slot *slot = &page->slots[reference->slot];

    if (!export_page_contains(page, reference))
        return false;
    range->address = atomic_load(&slot->address);
    range->length = atomic_load(&slot->length);
    range->permissions = atomic_load(&slot->permissions);
    range->origin = atomic_load(&slot->origin);
    return export_page_contains(page, reference); /* the slot may have been used again */
}
