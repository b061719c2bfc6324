/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of a device. Thread-safe: snapshots are immutable. */
#include "devinfo.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Offset of the bus part of "dddd:bb:dd.f". */
#define BDF_OFFSET (DOCA_DEVINFO_PCI_ADDR_SIZE - DOCA_DEVINFO_PCI_BDF_SIZE)

bool devinfo_is_pci_address(const char *text)
{
    static const char form[] = "xxxx:xx:xx.x";
    size_t i;

    for (i = 0; form[i] != '\0'; ++i)
        if (form[i] == 'x' ? !isxdigit((unsigned char)text[i]) : text[i] != form[i])
            return false;
    return text[i] == '\0';
}

doca_error_t devinfo_add(struct devinfo_table *table, const struct doca_devinfo *device)
{
    size_t size = (table->count + 1) * sizeof(*device);
    struct doca_devinfo *devices = realloc(table->devices, size);

    if (devices == NULL)
        return DOCA_ERROR_NO_MEMORY;
    devices[table->count++] = *device;
    table->devices = devices;
    return DOCA_SUCCESS;
}

static doca_error_t copy_address(
        uint8_t *target, uint32_t size, bool known, const uint8_t *address, uint32_t length)
{
    if (target == NULL || size < length)
        return DOCA_ERROR_INVALID_VALUE;
    if (!known)
        return DOCA_ERROR_NOT_FOUND;

    memcpy(target, address, length);
    return DOCA_SUCCESS;
}

/* `least` is the size that the interface requires for `target`, regardless of the name's length. */
static doca_error_t copy_name(char *target, uint32_t size, const char *name, uint32_t least)
{
    if (target == NULL || size < least)
        return DOCA_ERROR_INVALID_VALUE;
    if (name[0] == '\0')
        return DOCA_ERROR_NOT_FOUND;

    strcpy(target, name);
    return DOCA_SUCCESS;
}

static doca_error_t return_flag(const struct doca_devinfo *devinfo, uint8_t *supported, bool value)
{
    if (devinfo == NULL || supported == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *supported = value;
    return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_pci_addr_str(const struct doca_devinfo *devinfo, char *pci_addr_str)
{
    if (devinfo == NULL || pci_addr_str == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    memcpy(pci_addr_str, devinfo->pci_address, DOCA_DEVINFO_PCI_ADDR_SIZE);
    return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_is_equal_pci_addr(
        const struct doca_devinfo *devinfo, const char *pci_addr_str, uint8_t *is_equal)
{
    static const char domain[] = "0000:";
    char whole[DOCA_DEVINFO_PCI_ADDR_SIZE];
    const char *own;

    if (devinfo == NULL || pci_addr_str == NULL || is_equal == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    own = devinfo->pci_address;
    if (strlen(pci_addr_str) == DOCA_DEVINFO_PCI_BDF_SIZE - 1) {
        memcpy(whole, domain, BDF_OFFSET);
        strcpy(whole + BDF_OFFSET, pci_addr_str);
        own += BDF_OFFSET;
    } else if (strlen(pci_addr_str) == DOCA_DEVINFO_PCI_ADDR_SIZE - 1) {
        strcpy(whole, pci_addr_str);
    } else {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (!devinfo_is_pci_address(whole))
        return DOCA_ERROR_INVALID_VALUE;

    *is_equal = strcasecmp(own, pci_addr_str) == 0;
    return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_ipv4_addr(
        const struct doca_devinfo *devinfo, uint8_t *ipv4_addr, uint32_t size)
{
    if (devinfo == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    return copy_address(
            ipv4_addr, size, devinfo->has_ipv4, devinfo->ipv4, DOCA_DEVINFO_IPV4_ADDR_SIZE);
}

doca_error_t doca_devinfo_get_ipv6_addr(
        const struct doca_devinfo *devinfo, uint8_t *ipv6_addr, uint32_t size)
{
    if (devinfo == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    return copy_address(
            ipv6_addr, size, devinfo->has_ipv6, devinfo->ipv6, DOCA_DEVINFO_IPV6_ADDR_SIZE);
}

doca_error_t doca_devinfo_get_mac_addr(
        const struct doca_devinfo *devinfo, uint8_t *mac_addr, uint32_t size)
{
    if (devinfo == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    return copy_address(mac_addr, size, true, devinfo->mac, DOCA_DEVINFO_MAC_ADDR_SIZE);
}

doca_error_t doca_devinfo_get_iface_name(
        const struct doca_devinfo *devinfo, char *iface_name, uint32_t size)
{
    if (devinfo == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    return copy_name(iface_name, size, devinfo->interface_name, DOCA_DEVINFO_IFACE_NAME_SIZE);
}

doca_error_t doca_devinfo_get_ibdev_name(
        const struct doca_devinfo *devinfo, char *ibdev_name, uint32_t size)
{
    if (devinfo == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    return copy_name(ibdev_name, size, devinfo->ibdev_name, DOCA_DEVINFO_IBDEV_NAME_SIZE);
}

doca_error_t doca_devinfo_get_lid(const struct doca_devinfo *devinfo, uint16_t *lid)
{
    if (devinfo == NULL || lid == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *lid = devinfo->lid;
    return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_active_rate(const struct doca_devinfo *devinfo, uint64_t *active_rate)
{
    if (devinfo == NULL || active_rate == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *active_rate = devinfo->active_rate;
    return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_vhca_id(const struct doca_devinfo *devinfo, uint16_t *vhca_id)
{
    if (devinfo == NULL || vhca_id == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *vhca_id = devinfo->vhca_id;
    return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_cap_is_hotplug_manager_supported(
        const struct doca_devinfo *devinfo, uint8_t *is_hotplug_manager)
{
    return return_flag(devinfo, is_hotplug_manager, false);
}

doca_error_t doca_devinfo_cap_is_notification_moderation_supported(
        const struct doca_devinfo *devinfo, uint8_t *is_notification_moderation_supported)
{
    return return_flag(devinfo, is_notification_moderation_supported, false);
}

/* Lists of representors accept any filter; they are empty. */
doca_error_t doca_devinfo_rep_cap_is_filter_all_supported(
        const struct doca_devinfo *devinfo, uint8_t *filter_all_supported)
{
    return return_flag(devinfo, filter_all_supported, true);
}

doca_error_t doca_devinfo_rep_cap_is_filter_net_supported(
        const struct doca_devinfo *devinfo, uint8_t *filter_net_supported)
{
    return return_flag(devinfo, filter_net_supported, true);
}

doca_error_t doca_devinfo_rep_cap_is_filter_emulated_supported(
        const struct doca_devinfo *devinfo, uint8_t *filter_emulated_supported)
{
    return return_flag(devinfo, filter_emulated_supported, true);
}

doca_error_t doca_devinfo_cap_is_accelerate_resource_reclaim_supported(
        const struct doca_devinfo *devinfo, uint8_t *is_accelerate_resource_reclaim)
{
    return return_flag(devinfo, is_accelerate_resource_reclaim, false);
}

/* Devices are physical functions. */
doca_error_t doca_devinfo_get_pci_func_type(
        const struct doca_devinfo *devinfo, enum doca_pci_func_type *pci_func_type)
{
    if (devinfo == NULL || pci_func_type == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *pci_func_type = DOCA_PCI_FUNC_TYPE_PF;
    return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_get_sf_index(const struct doca_devinfo *devinfo, uint32_t *sf_index)
{
    if (devinfo == NULL || sf_index == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    return DOCA_ERROR_NOT_SUPPORTED;
}
