/* SPDX-License-Identifier: Apache-2.0 */
/* Defaults for UCX in a plugin. */
#ifndef JUROM_PLUGIN_TRANSPORT_SETTINGS_H_
#define JUROM_PLUGIN_TRANSPORT_SETTINGS_H_

#include <stdbool.h>

#include <ucp/api/ucp.h>

/* Sets the transports of a context and disables UCX's handling of fatal errors. */
ucs_status_t transport_set_up(ucp_config_t *config);

/* Returns whether the transports include UCX's tcp. */
bool transport_uses_tcp(void);

#endif /* JUROM_PLUGIN_TRANSPORT_SETTINGS_H_ */
