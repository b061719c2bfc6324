/* SPDX-License-Identifier: Apache-2.0 */
/* Redirection of UCX's log. */
#ifndef JUROM_CHANNEL_UCX_UCX_LOG_H_
#define JUROM_CHANNEL_UCX_UCX_LOG_H_

/* Passes log lines up to UCX_LOG_LEVEL to `write`, which is called on any thread. */
void ucx_log_to(void (*write)(const char *line));

#endif /* JUROM_CHANNEL_UCX_UCX_LOG_H_ */
