/* SPDX-License-Identifier: Apache-2.0 */
/* A worker in a process of its own, for the host that the test is. */
#ifndef JUROM_TEST_CHANNEL_PEER_PROCESS_H_
#define JUROM_TEST_CHANNEL_PEER_PROCESS_H_

#include <sys/types.h>

#include "peer.h"

/*
 * Starts a worker that accepts from `meeting`, runs `work` when its channel is open, and exits with
 * 0. It must be started before the test has channels.
 */
pid_t worker_process(
        struct meeting *meeting, size_t max_message_size, void (*work)(struct peer *worker));

/* Ends it with SIGKILL and waits until it has ended. */
void kill_process(pid_t pid);

/* Polls until the channel ends; in the event-driven way if `asleep`. */
void serve_until_the_end(struct peer *peer, bool asleep);

#endif /* JUROM_TEST_CHANNEL_PEER_PROCESS_H_ */
