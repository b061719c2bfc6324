/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of open devices for the other libraries. */
#ifndef JUROM_DEV_H_
#define JUROM_DEV_H_

#include <doca_dev.h>

#include "private.h"

/* Returns the device's PCI address as "dddd:bb:dd.f", valid while the device is open. */
DOCA_PRIVATE const char *priv_doca_dev_pci_address(const struct doca_dev *dev);

/* Adds a user of the device: doca_dev_close returns IN_USE while there are any. */
DOCA_PRIVATE void priv_doca_dev_acquire(struct doca_dev *dev);

/* Removes a user of the device. */
DOCA_PRIVATE void priv_doca_dev_release(struct doca_dev *dev);

#endif /* JUROM_DEV_H_ */
