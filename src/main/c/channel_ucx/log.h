/* SPDX-License-Identifier: Apache-2.0 */
/* UCX's log lines. */
#ifndef JUROM_CHANNEL_UCX_LOG_H_
#define JUROM_CHANNEL_UCX_LOG_H_

/* From now on, and from any thread, they go to `write`; what UCX_LOG_LEVEL holds back does not. */
void ucx_log_to(void (*write)(const char *line));

#endif /* JUROM_CHANNEL_UCX_LOG_H_ */
