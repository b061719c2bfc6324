/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any service file results in an entry or an error, and every text of an entry
 * is terminated within its array.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <urom/service_file.h>

#include "input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct service_entry *entry)
{
    require(strlen(entry->app_hostname) < sizeof(entry->app_hostname));
    require(strlen(entry->socket_path) < sizeof(entry->socket_path));
    require(strlen(entry->host) < sizeof(entry->host));
    require(strlen(entry->port) < sizeof(entry->port));
    require(strcmp(entry->pci_address, "0000:03:00.0") == 0);
    require(strlen(entry->net_devices) < sizeof(entry->net_devices));
    require((entry->socket_path[0] == '/') != (entry->host[0] != '\0'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("service_file", MFD_CLOEXEC);
    struct service_entry entry = { 0 };
    char path[64];

    require(write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    memset(&entry, 0, sizeof(entry));
    if (service_file_find(path, "0000:03:00.0", &entry) == DOCA_SUCCESS)
        check(&entry);
    close(fd);
    return 0;
}
