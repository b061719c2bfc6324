/* SPDX-License-Identifier: Apache-2.0 */
/* How UCX is set up in a plugin when nobody has said. */
#ifndef JUROM_PLUGIN_SETTINGS_H_
#define JUROM_PLUGIN_SETTINGS_H_

#include <stdbool.h>

#include <ucp/api/ucp.h>

/* Sets how a context moves data, and that UCX leaves a failing process alone. */
ucs_status_t transport_set_up(ucp_config_t *config);

/* Whether UCX's tcp is among the transports. */
bool transport_uses_tcp(void);

#endif /* JUROM_PLUGIN_SETTINGS_H_ */
