/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Representors: the devices of the software DOCA have none. Their lists are empty, and no
 * representor can be opened or queried.
 */
#include <doca_dev.h>

#include <stdlib.h>

static doca_error_t unsupported(const void *object)
{
    return object == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_devinfo_rep_create_list(struct doca_dev *dev, int filter,
        struct doca_devinfo_rep ***dev_list_rep, uint32_t *nb_devs_rep)
{
    const int known = DOCA_DEVINFO_REP_FILTER_NET | DOCA_DEVINFO_REP_FILTER_EMULATED;
    struct doca_devinfo_rep **list;

    if (dev == NULL || dev_list_rep == NULL || nb_devs_rep == NULL || (filter & ~known) != 0)
        return DOCA_ERROR_INVALID_VALUE;
    list = calloc(1, sizeof(*list)); /* the terminating NULL */
    if (list == NULL)
        return DOCA_ERROR_NO_MEMORY;

    *dev_list_rep = list;
    *nb_devs_rep = 0;
    return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_rep_destroy_list(struct doca_devinfo_rep **dev_list_rep)
{
    if (dev_list_rep == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    free(dev_list_rep);
    return DOCA_SUCCESS;
}

doca_error_t doca_dev_rep_open(struct doca_devinfo_rep *devinfo, struct doca_dev_rep **dev_rep)
{
    return dev_rep == NULL ? DOCA_ERROR_INVALID_VALUE : unsupported(devinfo);
}

doca_error_t doca_dev_rep_close(struct doca_dev_rep *dev)
{
    return unsupported(dev);
}

struct doca_devinfo_rep *doca_dev_rep_as_devinfo(struct doca_dev_rep *dev_rep)
{
    (void)dev_rep;
    return NULL;
}

doca_error_t doca_devinfo_rep_get_vuid(
        const struct doca_devinfo_rep *devinfo_rep, char *rep_vuid, uint32_t size)
{
    (void)size;
    return rep_vuid == NULL ? DOCA_ERROR_INVALID_VALUE : unsupported(devinfo_rep);
}

doca_error_t doca_devinfo_rep_get_pci_addr_str(
        const struct doca_devinfo_rep *devinfo_rep, char *pci_addr_str)
{
    return pci_addr_str == NULL ? DOCA_ERROR_INVALID_VALUE : unsupported(devinfo_rep);
}

doca_error_t doca_devinfo_rep_get_pci_func_type(
        const struct doca_devinfo_rep *devinfo_rep, enum doca_pci_func_type *pci_func_type)
{
    return pci_func_type == NULL ? DOCA_ERROR_INVALID_VALUE : unsupported(devinfo_rep);
}

doca_error_t doca_devinfo_rep_get_is_hotplug(
        const struct doca_devinfo_rep *devinfo_rep, uint8_t *is_hotplug)
{
    return is_hotplug == NULL ? DOCA_ERROR_INVALID_VALUE : unsupported(devinfo_rep);
}

doca_error_t doca_devinfo_rep_get_iface_name(
        const struct doca_devinfo_rep *devinfo_rep, char *iface_name, uint32_t size)
{
    (void)size;
    return iface_name == NULL ? DOCA_ERROR_INVALID_VALUE : unsupported(devinfo_rep);
}

doca_error_t doca_devinfo_rep_get_vhca_id(
        const struct doca_devinfo_rep *devinfo_rep, uint16_t *vhca_id)
{
    return vhca_id == NULL ? DOCA_ERROR_INVALID_VALUE : unsupported(devinfo_rep);
}

doca_error_t doca_devinfo_rep_is_equal_pci_addr(
        const struct doca_devinfo_rep *devinfo_rep, const char *pci_addr_str, uint8_t *is_equal)
{
    if (pci_addr_str == NULL || is_equal == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    return unsupported(devinfo_rep);
}
