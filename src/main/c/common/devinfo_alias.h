/* SPDX-License-Identifier: Apache-2.0 */
/* Alias names and addresses of devices. */
#ifndef JUROM_DEVINFO_ALIAS_H_
#define JUROM_DEVINFO_ALIAS_H_

#include "devinfo.h"

/*
 * Adds the entries of `aliases`, the value of JUROM_DEVICE_ALIASES. BAD_CONFIG: an entry is
 * invalid; it is logged with the reason.
 */
doca_error_t devinfo_add_aliases(struct devinfo_table *table, const char *aliases);

#endif /* JUROM_DEVINFO_ALIAS_H_ */
