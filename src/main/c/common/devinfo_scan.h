/* SPDX-License-Identifier: Apache-2.0 */
/* Device discovery. */
#ifndef JUROM_DEVINFO_SCAN_H_
#define JUROM_DEVINFO_SCAN_H_

#include "devinfo.h"

/*
 * Lists the devices of the machine whose sysfs is mounted at `sysfs` ("/sys"), `soft0` first. The
 * caller frees table->devices. NO_MEMORY leaves the table empty.
 */
doca_error_t devinfo_scan(const char *sysfs, struct devinfo_table *table);

#endif /* JUROM_DEVINFO_SCAN_H_ */
