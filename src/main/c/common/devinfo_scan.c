/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device discovery: `soft0`, which every machine has, and the InfiniBand devices or, if there are
 * none, the network interfaces.
 *
 * An interface without a PCI address of its own (loopback, a bridge, a second port of one function)
 * gets an address in domain ffff that is derived from its interface index: it is unique and stable
 * as long as the interface exists.
 */
#include "devinfo_scan.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interface_address.h"
#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::DEV)

static const struct doca_devinfo soft0 = {
    .pci_address = "0000:00:00.0",
    .interface_name = "soft0",
    .ibdev_name = "soft0",
    .has_ipv4 = true,
    .has_ipv6 = true,
    .ipv4 = { 127, 0, 0, 1 },
    .ipv6 = { [15] = 1 },
    .mac = { 2 }, /* 02:00:00:00:00:00, locally administered */
};

/* Reads the first line of the file `folder`/`name`; empty if it cannot be read. */
static void read_line(const char *folder, const char *name, char *line, int size)
{
    char path[PATH_MAX];
    FILE *file;

    line[0] = '\0';
    if (snprintf(path, sizeof(path), "%s/%s", folder, name) >= (int)sizeof(path))
        return;
    file = fopen(path, "re");
    if (file == NULL)
        return;
    if (fgets(line, size, file) == NULL)
        line[0] = '\0';
    fclose(file);
    line[strcspn(line, "\n")] = '\0';
}

static long read_number(const char *folder, const char *name)
{
    char line[64];

    read_line(folder, name, line, sizeof(line));
    return strtol(line, NULL, 0);
}

/*
 * Finds the PCI address of the device that the link `folder`/device refers to: the last path
 * component that is one, since a virtual device may be below the PCI function.
 */
static bool find_pci_address(const char *folder, char *address)
{
    char link[PATH_MAX], path[PATH_MAX];
    bool found = false;
    char *part, *rest;

    if (snprintf(link, sizeof(link), "%s/device", folder) >= (int)sizeof(link))
        return false;
    if (realpath(link, path) == NULL)
        return false;
    for (part = strtok_r(path, "/", &rest); part != NULL; part = strtok_r(NULL, "/", &rest))
        if (devinfo_is_pci_address(part)) {
            memcpy(address, part, DOCA_DEVINFO_PCI_ADDR_SIZE);
            found = true;
        }
    return found;
}

static bool is_listed(const struct devinfo_table *table, const char *pci_address)
{
    size_t i;

    for (i = 0; i < table->count; ++i)
        if (strcmp(table->devices[i].pci_address, pci_address) == 0)
            return true;
    return false;
}

/* Adds `device` with the address of its folder, or else with one derived from `number`. */
static doca_error_t add_with_address(
        struct devinfo_table *table, const char *folder, struct doca_devinfo *device, long number)
{
    device->vhca_id = (uint16_t)number;
    if (!find_pci_address(folder, device->pci_address) || is_listed(table, device->pci_address))
        snprintf(device->pci_address, sizeof(device->pci_address), "ffff:%02x:%02x.%x",
                (unsigned)(number >> 8 & 0xff), (unsigned)(number >> 3 & 0x1f),
                (unsigned)(number & 7));
    if (is_listed(table, device->pci_address)) {
        SDK_LOG_WARN("The device %s is ignored: another device has its address %s",
                device->ibdev_name, device->pci_address);
        return DOCA_SUCCESS;
    }
    return devinfo_add(table, device);
}

/* Fills in the properties of the network interface of `device`; returns its index. */
static long describe_interface(const char *sysfs, struct doca_devinfo *device)
{
    unsigned mac[DOCA_DEVINFO_MAC_ADDR_SIZE] = { 0 };
    char folder[PATH_MAX], line[64];
    size_t i;

    if (snprintf(folder, sizeof(folder), "%s/class/net/%s", sysfs, device->interface_name)
            >= (int)sizeof(folder))
        return 0;
    read_line(folder, "address", line, sizeof(line));
    if (sscanf(line, "%2x:%2x:%2x:%2x:%2x:%2x", &mac[0], &mac[1], &mac[2], &mac[3], &mac[4],
                &mac[5])
            == DOCA_DEVINFO_MAC_ADDR_SIZE)
        for (i = 0; i < DOCA_DEVINFO_MAC_ADDR_SIZE; ++i)
            device->mac[i] = (uint8_t)mac[i];
    device->has_ipv4 = interface_ipv4(device->interface_name, device->ipv4);
    device->has_ipv6 = interface_ipv6(device->interface_name, device->ipv6);
    return read_number(folder, "ifindex");
}

static doca_error_t add_interface(struct devinfo_table *table, const char *sysfs, const char *name)
{
    struct doca_devinfo device = { 0 };
    char folder[PATH_MAX];
    long megabits, number;

    if (snprintf(folder, sizeof(folder), "%s/class/net/%s", sysfs, name) >= (int)sizeof(folder))
        return DOCA_SUCCESS;
    snprintf(device.interface_name, sizeof(device.interface_name), "%s", name);
    snprintf(device.ibdev_name, sizeof(device.ibdev_name), "%s", name);
    number = describe_interface(sysfs, &device);
    if (number <= 0) /* for example bonding_masters, which is not an interface */
        return DOCA_SUCCESS;
    megabits = read_number(folder, "speed");
    device.active_rate = megabits > 0 ? (uint64_t)megabits * 1000000 : 0;
    return add_with_address(table, folder, &device, number);
}

/* Finds the first network interface of the device in `folder`; empty if it has none. */
static void find_interface(const char *folder, char *name, size_t size)
{
    char path[PATH_MAX];
    struct dirent *entry;
    DIR *directory;

    name[0] = '\0';
    if (snprintf(path, sizeof(path), "%s/device/net", folder) >= (int)sizeof(path))
        return;
    directory = opendir(path);
    if (directory == NULL)
        return;
    while (name[0] == '\0' && (entry = readdir(directory)) != NULL)
        if (entry->d_name[0] != '.')
            snprintf(name, size, "%s", entry->d_name);
    closedir(directory);
}

static doca_error_t add_ibdev(struct devinfo_table *table, const char *sysfs, const char *name)
{
    struct doca_devinfo device = { 0 };
    char folder[PATH_MAX], line[64];
    long number = (long)table->count;

    if (snprintf(folder, sizeof(folder), "%s/class/infiniband/%s", sysfs, name)
            >= (int)sizeof(folder))
        return DOCA_SUCCESS;
    snprintf(device.ibdev_name, sizeof(device.ibdev_name), "%s", name);
    find_interface(folder, device.interface_name, sizeof(device.interface_name));
    if (device.interface_name[0] != '\0')
        describe_interface(sysfs, &device);
    device.lid = (uint16_t)read_number(folder, "ports/1/lid");
    read_line(folder, "ports/1/rate", line, sizeof(line)); /* "100 Gb/sec (4X EDR)" */
    device.active_rate = (uint64_t)(strtod(line, NULL) * 1e9);
    return add_with_address(table, folder, &device, number);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Adds a device for each entry of `sysfs`/class/`kind`, in the order of their names. */
static doca_error_t add_all(struct devinfo_table *table, const char *sysfs, const char *kind,
        doca_error_t (*add)(struct devinfo_table *table, const char *sysfs, const char *name))
{
    doca_error_t status = DOCA_SUCCESS;
    struct dirent **entries;
    char path[PATH_MAX];
    int count, i;

    if (snprintf(path, sizeof(path), "%s/class/%s", sysfs, kind) >= (int)sizeof(path))
        return DOCA_SUCCESS;
    count = scandir(path, &entries, is_visible, alphasort);
    if (count < 0) /* the machine has no such devices */
        return DOCA_SUCCESS;
    for (i = 0; i < count; ++i) {
        if (status == DOCA_SUCCESS)
            status = add(table, sysfs, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return status;
}

doca_error_t devinfo_scan(const char *sysfs, struct devinfo_table *table)
{
    doca_error_t status;

    *table = (struct devinfo_table){ 0 };
    status = devinfo_add(table, &soft0);
    if (status == DOCA_SUCCESS)
        status = add_all(table, sysfs, "infiniband", add_ibdev);
    if (status == DOCA_SUCCESS && table->count == 1)
        status = add_all(table, sysfs, "net", add_interface);
    if (status != DOCA_SUCCESS) {
        free(table->devices);
        *table = (struct devinfo_table){ 0 };
    }
    return status;
}
