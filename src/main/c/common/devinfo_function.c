/* SPDX-License-Identifier: Apache-2.0 */
/* Type of a device's PCI function: always a physical one. */
#include <doca_dev.h>

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
