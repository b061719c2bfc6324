/* SPDX-License-Identifier: Apache-2.0 */
/* What UCX uses between machines, where the environment does not say. */
#ifndef JUROM_CHANNEL_UCX_SETTINGS_H_
#define JUROM_CHANNEL_UCX_SETTINGS_H_

#include <ucp/api/ucp.h>

/* Which network devices; empty: any, or those of UCX_NET_DEVICES. */
const char *ucx_settings_devices(const char *devices, const char *interface);

ucs_status_t ucx_settings_choose(ucp_config_t *config, const char *devices);

#endif /* JUROM_CHANNEL_UCX_SETTINGS_H_ */
