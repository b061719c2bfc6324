/* SPDX-License-Identifier: Apache-2.0 */
/* Other processes from which this process has imported memory. Thread-safe. */
#ifndef JUROM_EXPORTER_H_
#define JUROM_EXPORTER_H_

#include <stddef.h>

#include "export_page.h"
#include "process_memory.h"

/* A process and one of its pages of exports, for all imports of this process from that page. */
struct exporter {
    struct exporter *next;
    uint32_t page_fd; /* in the process */
    struct process_memory memory;
    const struct export_page *page;
    size_t imports;
};

/*
 * Counts an import from the page that `reference` names, until exporter_close. NOT_PERMITTED: the
 * kernel denies access to the process. NOT_FOUND: the process has no such page.
 */
doca_error_t exporter_open(const struct export_reference *reference, struct exporter **exporter);

/* Ends an import. The last one closes the page. */
void exporter_close(struct exporter *exporter);

#endif /* JUROM_EXPORTER_H_ */
