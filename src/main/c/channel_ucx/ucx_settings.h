/* SPDX-License-Identifier: Apache-2.0 */
/* Defaults for UCX between machines, used where the environment sets nothing. */
#ifndef JUROM_CHANNEL_UCX_UCX_SETTINGS_H_
#define JUROM_CHANNEL_UCX_UCX_SETTINGS_H_

#include <ucp/api/ucp.h>

/* Returns the network devices to use; empty: any, or those of UCX_NET_DEVICES. */
const char *ucx_settings_devices(const char *devices, const char *interface);

/*
 * Sets the transports, unless UCX_TLS names ones between machines, and the network devices, unless
 * `devices` is empty. Also disables UCX's handling of fatal errors in this process.
 */
ucs_status_t ucx_settings_choose(ucp_config_t *config, const char *devices);

#endif /* JUROM_CHANNEL_UCX_UCX_SETTINGS_H_ */
