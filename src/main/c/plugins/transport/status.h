/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion of UCX statuses to DOCA's. */
#ifndef JUROM_PLUGIN_STATUS_H_
#define JUROM_PLUGIN_STATUS_H_

#include <ucs/type/status.h>

#include <doca_error.h>

/* Returns the DOCA status for a UCX status. */
doca_error_t transport_status(ucs_status_t status);

#endif /* JUROM_PLUGIN_STATUS_H_ */
