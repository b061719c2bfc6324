/* SPDX-License-Identifier: Apache-2.0 */
#include "exporter.h"

#include <stdlib.h>
#include <unistd.h>

#include "mmap_export.h"

static struct exporter *exporters; /* guarded by the lock of mmap_export.c */

static struct exporter *find(const struct export_reference *reference)
{
    struct exporter *exporter = exporters;

    while (exporter != NULL
            && ((uint64_t)exporter->memory.process != reference->process
                    || exporter->page_fd != reference->page_fd
                    || !process_memory_exists(&exporter->memory)))
        exporter = exporter->next;
    return exporter;
}

/* The memory comes first: if the process runs another program by then, its page is closed. */
static doca_error_t open_process(
        struct exporter *exporter, int directory, const struct export_reference *reference)
{
    doca_error_t status = process_memory_open(
            directory, (pid_t)reference->process, &exporter->memory);

    if (status != DOCA_SUCCESS)
        return status;
    exporter->page_fd = reference->page_fd;
    exporter->page = export_page_open(directory, reference->process, reference->page_fd);
    if (exporter->page != NULL)
        return DOCA_SUCCESS;
    process_memory_close(&exporter->memory);
    return DOCA_ERROR_NOT_FOUND;
}

static doca_error_t add(const struct export_reference *reference, struct exporter **added)
{
    struct exporter *exporter = calloc(1, sizeof(*exporter));
    int directory = shared_page_open_process(reference->process);
    doca_error_t status = DOCA_ERROR_NO_MEMORY;

    if (exporter != NULL)
        status = directory < 0 ? DOCA_ERROR_NOT_FOUND
                               : open_process(exporter, directory, reference);
    if (directory >= 0)
        close(directory);
    if (status != DOCA_SUCCESS) {
        free(exporter);
        return status;
    }
    exporter->next = exporters;
    exporters = exporter;
    *added = exporter;
    return DOCA_SUCCESS;
}

doca_error_t exporter_open(const struct export_reference *reference, struct exporter **exporter)
{
    doca_error_t status = DOCA_SUCCESS;

    mmap_lock_exports();
    *exporter = find(reference);
    if (*exporter == NULL)
        status = add(reference, exporter);
    if (status == DOCA_SUCCESS)
        (*exporter)->imports++;
    mmap_unlock_exports();
    return status;
}

void exporter_close(struct exporter *exporter)
{
    struct exporter **link;

    mmap_lock_exports();
    if (--exporter->imports == 0) {
        for (link = &exporters; *link != exporter; link = &(*link)->next)
            ;
        *link = exporter->next;
        process_memory_close(&exporter->memory);
        export_page_close(exporter->page);
        free(exporter);
    }
    mmap_unlock_exports();
}
