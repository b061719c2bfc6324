/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exports of memory that other processes may import. Each is in a slot of a page that only this
 * library writes, in the exporting process alone: the page is sealed against further writers, and
 * importers map it for reading. A child that is forked off inherits no page. The functions that
 * change slots are not thread-safe.
 */
#ifndef JUROM_EXPORT_PAGE_H_
#define JUROM_EXPORT_PAGE_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>

#include "shared_page.h"

#define EXPORT_COOKIE_WORDS 2
#define EXPORT_SLOTS 85

/* A range that an importer may access, and its permissions. */
struct export_range {
    uint64_t address;
    uint64_t length;
    uint32_t permissions;
    uint32_t origin; /* of the imported map */
};

struct export_slot {
    _Atomic uint64_t cookie[EXPORT_COOKIE_WORDS]; /* zeros: free */
    _Atomic uint64_t address;
    _Atomic uint64_t length;
    _Atomic uint32_t permissions;
    _Atomic uint32_t origin;
    uint64_t unused;
};

struct export_page {
    uint64_t process; /* its creator */
    uint64_t unused;
    struct export_slot slots[EXPORT_SLOTS];
};

_Static_assert(sizeof(struct export_page) == SHARED_PAGE_SIZE, "one page");

/* Names an export. The random cookie proves that its bearer got it from the exporter. */
struct export_reference {
    uint64_t process;
    uint32_t page_fd; /* in the exporter */
    uint32_t slot;
    uint64_t cookie[EXPORT_COOKIE_WORDS];
};

/* Returns whether both name the same export. The time does not depend on where cookies differ. */
bool export_reference_equals(
        const struct export_reference *first, const struct export_reference *second);

/* Exports a range of this process in a free slot. */
doca_error_t export_page_add(const struct export_range *range, struct export_slot **slot,
        struct export_reference *reference);

/* Revokes an export. */
void export_page_remove(struct export_slot *slot);

/* Closes the pages in a forked child, which has no exports. */
void export_page_leave(void);

/* Opens a page of another process for reading; NULL: it is not a page that the process created. */
const struct export_page *export_page_open(int directory, uint64_t process, uint32_t page_fd);

/* Closes an opened page. */
void export_page_close(const struct export_page *page);

/* Returns whether the export still exists. Thread-safe. */
bool export_page_contains(const struct export_page *page, const struct export_reference *reference);

/* Returns whether the export exists, and its range. Thread-safe. */
bool export_page_read(const struct export_page *page, const struct export_reference *reference,
        struct export_range *range);

#endif /* JUROM_EXPORT_PAGE_H_ */
