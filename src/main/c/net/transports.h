/* SPDX-License-Identifier: Apache-2.0 */
/* How UCX is to move data when nobody has said. Logs nothing: plugins use it too. */
#ifndef JUROM_TRANSPORTS_H_
#define JUROM_TRANSPORTS_H_

#include <ucp/api/ucp.h>

/* Sets a UCX setting, unless the environment has it as `variable`. */
ucs_status_t transports_prefer(ucp_config_t *config, const char *variable, const char *name,
        const char *value);

/* Sets how a context for data moves it: UCX's own choice where there is InfiniBand. */
ucs_status_t transports_choose(ucp_config_t *config);

#endif /* JUROM_TRANSPORTS_H_ */
