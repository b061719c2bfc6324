/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Open devices. Opening a device again returns the same object with one more reference. One lock
 * guards the process's table of open devices. Thread-safe.
 */
#include "dev.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "devinfo_alias.h"
#include "devinfo_scan.h"
#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::DEV)

struct doca_dev {
    struct doca_dev *next;
    struct doca_devinfo info;
    size_t opened; /* open count */
    size_t users;  /* contexts and memory maps */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct doca_dev *open_devices;

/* Finds all devices of this machine, including their aliases. */
static doca_error_t find_devices(struct devinfo_table *table)
{
    const char *aliases = secure_getenv("JUROM_DEVICE_ALIASES");
    doca_error_t status = devinfo_scan("/sys", table);

    if (status != DOCA_SUCCESS || aliases == NULL)
        return status;
    status = devinfo_add_aliases(table, aliases);
    if (status != DOCA_SUCCESS)
        free(table->devices);
    return status;
}

doca_error_t doca_devinfo_create_list(struct doca_devinfo ***dev_list, uint32_t *nb_devs)
{
    struct devinfo_table table;
    struct doca_devinfo **list;
    struct doca_devinfo *copies;
    doca_error_t status;
    size_t i;

    if (dev_list == NULL || nb_devs == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    status = find_devices(&table);
    if (status != DOCA_SUCCESS)
        return status;

    /* One allocation: the NULL-terminated pointers, followed by the structs that they point to. */
    list = malloc((table.count + 1) * sizeof(*list) + table.count * sizeof(*copies));
    if (list != NULL) {
        copies = (struct doca_devinfo *)(list + table.count + 1);
        memcpy(copies, table.devices, table.count * sizeof(*copies));
        for (i = 0; i < table.count; ++i)
            list[i] = &copies[i];
        list[table.count] = NULL;
        *dev_list = list;
        *nb_devs = (uint32_t)table.count;
    } else {
        status = DOCA_ERROR_NO_MEMORY;
    }
    free(table.devices);
    return status;
}

doca_error_t doca_devinfo_destroy_list(struct doca_devinfo **dev_list)
{
    if (dev_list == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    free(dev_list);
    return DOCA_SUCCESS;
}

/* Returns the open device with that address, or NULL; the caller holds the lock. */
static struct doca_dev *find_open(const char *pci_address)
{
    struct doca_dev *dev = open_devices;

    while (dev != NULL && strcmp(dev->info.pci_address, pci_address) != 0)
        dev = dev->next;
    return dev;
}

doca_error_t doca_dev_open(struct doca_devinfo *devinfo, struct doca_dev **dev)
{
    doca_error_t status = DOCA_SUCCESS;
    struct doca_dev *opened;

    if (devinfo == NULL || dev == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    pthread_mutex_lock(&lock);
    opened = find_open(devinfo->pci_address);
    if (opened == NULL) {
        opened = calloc(1, sizeof(*opened));
        if (opened != NULL) {
            opened->info = *devinfo;
            opened->next = open_devices;
            open_devices = opened;
        }
    }
    if (opened != NULL) {
        opened->opened++;
        *dev = opened;
    } else {
        status = DOCA_ERROR_NO_MEMORY;
    }
    pthread_mutex_unlock(&lock);
    return status;
}

doca_error_t doca_dev_close(struct doca_dev *dev)
{
    doca_error_t status = DOCA_SUCCESS;
    struct doca_dev **link;

    if (dev == NULL) /* programs may close a device that they failed to open */
        return DOCA_SUCCESS;

    pthread_mutex_lock(&lock);
    if (dev->opened == 1 && dev->users > 0) {
        SDK_LOG_DBG("%zu contexts and memory maps use the device %s: destroy them first",
                dev->users, dev->info.pci_address);
        status = DOCA_ERROR_IN_USE;
    } else {
        dev->opened--;
    }
    if (dev->opened == 0) {
        for (link = &open_devices; *link != dev; link = &(*link)->next)
            ;
        *link = dev->next;
        free(dev);
    }
    pthread_mutex_unlock(&lock);
    return status;
}

doca_error_t doca_dev_accelerate_resource_reclaim(struct doca_dev *dev)
{
    return dev == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_NOT_SUPPORTED;
}

struct doca_devinfo *doca_dev_as_devinfo(const struct doca_dev *dev)
{
    return dev == NULL ? NULL : (struct doca_devinfo *)&dev->info;
}

const char *priv_doca_dev_pci_address(const struct doca_dev *dev)
{
    return dev->info.pci_address;
}

void priv_doca_dev_acquire(struct doca_dev *dev)
{
    pthread_mutex_lock(&lock);
    dev->users++;
    pthread_mutex_unlock(&lock);
}

void priv_doca_dev_release(struct doca_dev *dev)
{
    pthread_mutex_lock(&lock);
    dev->users--;
    pthread_mutex_unlock(&lock);
}
