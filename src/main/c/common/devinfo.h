/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Properties of a device: a snapshot, taken when the device list is created. An open device keeps
 * its own copy.
 */
#ifndef JUROM_DEVINFO_H_
#define JUROM_DEVINFO_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_dev.h>

struct doca_devinfo {
    /* "dddd:bb:dd.f"; list entries with equal addresses are one device under several names. */
    char pci_address[DOCA_DEVINFO_PCI_ADDR_SIZE];
    char interface_name[DOCA_DEVINFO_IFACE_NAME_SIZE];
    char ibdev_name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    bool has_ipv4;
    bool has_ipv6;
    uint8_t ipv4[DOCA_DEVINFO_IPV4_ADDR_SIZE];
    uint8_t ipv6[DOCA_DEVINFO_IPV6_ADDR_SIZE];
    uint8_t mac[DOCA_DEVINFO_MAC_ADDR_SIZE];
    uint16_t lid;
    uint16_t vhca_id;
    uint64_t active_rate; /* bit/s; 0: unknown */
};

/* A growing array; free(devices) frees it. */
struct devinfo_table {
    struct doca_devinfo *devices;
    size_t count;
};

/* Appends a copy of `device`. NO_MEMORY. */
doca_error_t devinfo_add(struct devinfo_table *table, const struct doca_devinfo *device);

/* Returns whether `text` has the form dddd:bb:dd.f in hexadecimal digits. */
bool devinfo_is_pci_address(const char *text);

#endif /* JUROM_DEVINFO_H_ */
