/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any value of JUROM_DEVICE_ALIASES results in devices with unique names, or in
 * an error.
 */
#include <stdlib.h>
#include <string.h>

#include <common/devinfo_alias.h>

#include "input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct devinfo_table *table)
{
    for (size_t i = 0; i < table->count; ++i) {
        const struct doca_devinfo *device = &table->devices[i];

        require(devinfo_is_pci_address(device->pci_address));
        require(memchr(device->ibdev_name, '\0', sizeof(device->ibdev_name)) != NULL);
        require(memchr(device->interface_name, '\0', sizeof(device->interface_name)) != NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct doca_devinfo soft0 = {
        .pci_address = "0000:03:00.0", .interface_name = "soft0", .ibdev_name = "soft0"
    };
    struct devinfo_table table = { 0 };
    char *text = malloc(size + 1);

    require(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    require(devinfo_add(&table, &soft0) == DOCA_SUCCESS);
    devinfo_add_aliases(&table, text);
    check(&table);
    free(table.devices);
    free(text);
    return 0;
}
