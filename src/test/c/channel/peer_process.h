/* SPDX-License-Identifier: Apache-2.0 */
/* A worker in its own process; the test is the host. */
#ifndef JUROM_TEST_CHANNEL_PEER_PROCESS_H_
#define JUROM_TEST_CHANNEL_PEER_PROCESS_H_

#include <sys/types.h>

#include "peer.h"

/*
 * Starts a worker that accepts from `meeting`, calls `work` when its channel is open, and exits
 * with 0. Call it before the test creates channels.
 */
pid_t worker_process(
        struct meeting *meeting, size_t max_message_size, void (*work)(struct peer *worker));

/* Kills the process with SIGKILL, and waits for its end. */
void kill_process(pid_t pid);

/* Polls until the channel ends; event-driven if `asleep`. */
void serve_until_the_end(struct peer *peer, bool asleep);

#endif /* JUROM_TEST_CHANNEL_PEER_PROCESS_H_ */
